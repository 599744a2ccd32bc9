//! The types of JSON values.

use std::fmt;

use serde_json::Value;

bitflags::bitflags! {
    /// Types of JSON values. A number may be an integer, so it has that bit as well.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Types: u8 {
        const OBJECT = 1;
        const ARRAY = 2;
        const STRING = 4;
        const INTEGER = 8;
        const NUMBER = 8 | 16;
        const BOOLEAN = 32;
        const NULL = 64;
    }
}

/// The names, in the order in which messages list them.
const NAMES: [(&str, Types); 7] = [
    ("object", Types::OBJECT),
    ("array", Types::ARRAY),
    ("string", Types::STRING),
    ("number", Types::NUMBER),
    ("integer", Types::INTEGER),
    ("boolean", Types::BOOLEAN),
    ("null", Types::NULL),
];

impl Types {
    /// The type of that name.
    pub(super) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, types)| *types)
    }

    /// The type of a value; a number without a fraction is an integer.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => Self::INTEGER,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// What the keyword `type` says.
    pub(super) fn said(keyword: &Value) -> Self {
        let names = match keyword {
            Value::Array(names) => names.as_slice(),
            name => std::slice::from_ref(name),
        };
        names.iter().filter_map(Value::as_str).filter_map(Self::named).fold(Self::empty(), |all, one| all | one)
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::all() {
            return f.write_str("any value");
        }
        if self.is_empty() {
            return f.write_str("nothing");
        }
        let told = |types: Self| types != Self::INTEGER || !self.contains(Self::NUMBER);
        let names = NAMES.iter().filter(|(_, types)| self.contains(*types) && told(*types));
        f.write_str(&names.map(|(name, _)| *name).collect::<Vec<_>>().join(" or "))
    }
}
