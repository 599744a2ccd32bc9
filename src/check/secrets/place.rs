//! Places where secrets are allowed.

use std::str::FromStr;

use crate::wire::path::{Path, Step};

/// A text that is not a path with wildcards.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at character {at}; a path is written like `$.messages[*].content` or `$..headers['x-id']`")]
pub struct InvalidPlace {
    problem: &'static str,
    at: usize,
}

/// A path in which `*` stands for any one key or index, and `..` for any number of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    /// Any number of steps may come before.
    deep: bool,
    want: Want,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Want {
    Any,
    Key(String),
    Index(usize),
}

/// The most parts of a path: each has a bit.
const PARTS: usize = 60;

impl Place {
    pub(super) fn covers(&self, path: &Path) -> bool {
        // Bit n: the first n parts have led here.
        let mut reached = 1_u64;
        for step in path.steps() {
            let mut next = 0;
            for (index, part) in self.0.iter().enumerate() {
                let here = reached & (1 << index);
                if part.deep {
                    next |= here;
                }
                if part.want.is(step) {
                    next |= here << 1;
                }
            }
            reached = next;
        }
        reached & (1 << self.0.len()) != 0
    }
}

impl Want {
    fn is(&self, step: &Step) -> bool {
        match (self, step) {
            (Self::Any, _) => true,
            (Self::Key(wanted), Step::Key(key)) => **key == **wanted,
            (Self::Index(wanted), Step::Index(index)) => index == wanted,
            _ => false,
        }
    }
}

impl FromStr for Place {
    type Err = InvalidPlace;

    fn from_str(text: &str) -> Result<Self, InvalidPlace> {
        let mut reader = Reader { text, rest: text };
        if !reader.takes("$") {
            return Err(reader.wrong("`$` is missing"));
        }
        let mut parts = Vec::new();
        while !reader.rest.is_empty() {
            if parts.len() == PARTS {
                return Err(reader.wrong("there are more than 60 steps"));
            }
            let deep = reader.takes("..");
            let want = if reader.takes("[") {
                reader.bracket()?
            } else if deep || reader.takes(".") {
                reader.name()?
            } else {
                return Err(reader.wrong("there is neither `.` nor `[`"));
            };
            parts.push(Part { deep, want });
        }
        Ok(Self(parts))
    }
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn wrong(&self, problem: &'static str) -> InvalidPlace {
        let before = &self.text[..self.text.len() - self.rest.len()];
        InvalidPlace { problem, at: before.chars().count() + 1 }
    }

    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes what lies before the first character that is not wanted.
    fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> &'t str {
        let (taken, rest) = self.rest.split_at(self.rest.find(|c: char| !is_wanted(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// What follows a dot.
    fn name(&mut self) -> Result<Want, InvalidPlace> {
        if self.takes("*") {
            return Ok(Want::Any);
        }
        let name = self.take_while(|c| !matches!(c, '.' | '[' | ']' | '*' | '\'' | '"') && !c.is_whitespace());
        if name.is_empty() { Err(self.wrong("there is no name")) } else { Ok(Want::Key(name.to_owned())) }
    }

    /// What follows a bracket, and the closing one.
    fn bracket(&mut self) -> Result<Want, InvalidPlace> {
        let want = if self.takes("*") {
            Want::Any
        } else if self.takes("'") {
            Want::Key(self.quoted('\'')?)
        } else if self.takes("\"") {
            Want::Key(self.quoted('"')?)
        } else {
            let digits = self.take_while(|c| c.is_ascii_digit());
            Want::Index(digits.parse().map_err(|_| self.wrong("there is no index, quoted name or `*`"))?)
        };
        if self.takes("]") { Ok(want) } else { Err(self.wrong("`]` is missing")) }
    }

    fn quoted(&mut self, quote: char) -> Result<String, InvalidPlace> {
        let mut name = String::new();
        loop {
            name.push_str(self.take_while(|c| c != quote && c != '\\'));
            let mut signs = self.rest.chars();
            if signs.next() == Some(quote) {
                self.rest = signs.as_str();
                return Ok(name);
            }
            let sign = match signs.next() {
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('u') => {
                    let digits = signs.as_str().get(..4).filter(|digits| digits.bytes().all(|c| c.is_ascii_hexdigit()));
                    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                    signs = signs.as_str().get(4..).unwrap_or_default().chars();
                    let sign = number.and_then(char::from_u32);
                    sign.ok_or_else(|| self.wrong("there is no character of that number"))?
                }
                Some(sign) => sign,
                None => return Err(self.wrong("the quote is not closed")),
            };
            name.push(sign);
            self.rest = signs.as_str();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_cover_paths() {
        let mut path = Path::default();
        path.push_key("messages");
        path.push_index(2);
        path.push_key("headers");
        path.push_key("it's *");
        for (place, covers) in [
            (r"$.messages[2].headers['it\'s *']", true),
            (r#"$["messages"][2]['headers']["it's *"]"#, true),
            (r"$['\u006dessages'][*].*.*", true),
            (r"$['\bmessages'][*].*.*", false),
            ("$.*[*].*.*", true),
            ("$..*", true),
            ("$..headers.*", true),
            ("$.messages..*", true),
            ("$..[2]..*", true),
            ("$", false),
            ("$.messages", false),
            ("$.messages[*].headers", false),
            ("$.messages[3].headers.*", false),
            ("$.Messages[2].headers.*", false),
            ("$..headers", false),
            ("$..headers..*.*", false),
            ("$.*.*.*.*.*", false),
        ] {
            assert_eq!(place.parse::<Place>().unwrap().covers(&path), covers, "{place}");
        }
        assert!("$".parse::<Place>().unwrap().covers(&Path::default()));
    }

    #[test]
    fn every_printed_path_can_be_read() {
        for key in ["a", "a b", "it's", "back\\slash", "line\nend", "\u{1}", "größe", "*", ""] {
            let path = Path::of(key).element(0);
            assert!(path.to_json_path().parse::<Place>().unwrap().covers(&path), "{key:?}");
        }
    }

    #[test]
    fn what_is_no_path() {
        for (text, problem) in [
            ("", "`$` is missing at character 1"),
            ("payload.a", "`$` is missing at character 1"),
            ("$payload", "there is neither `.` nor `[` at character 2"),
            ("$.", "there is no name at character 3"),
            ("$.ä.to*", "there is neither `.` nor `[` at character 7"),
            ("$...a", "there is no name at character 4"),
            ("$[a]", "there is no index, quoted name or `*` at character 3"),
            ("$[1", "`]` is missing at character 4"),
            ("$['a", "the quote is not closed at character 5"),
            (r"$['\u+06d']", "there is no character of that number at character 4"),
            (r"$['\u12']", "there is no character of that number at character 4"),
            ("$[99999999999999999999]", "there is no index, quoted name or `*` at character 23"),
        ] {
            let error = text.parse::<Place>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("{problem};")), "{text}: {error}");
        }
        assert!(format!("${}", ".a".repeat(PARTS)).parse::<Place>().is_ok());
        assert!(format!("${}", ".a".repeat(PARTS + 1)).parse::<Place>().is_err());
    }
}
