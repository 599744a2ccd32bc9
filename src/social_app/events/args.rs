//! The arguments of a tool call, in the shapes that they have had.

use crate::wire::decode::{Decode, Outcome};
use crate::wire::scan::Cursor;
use crate::wire::{Json, JsonObject};

/// The arguments of a tool call: any object, kept as it came.
///
/// ```
/// use agent_contracts::social_app::{ArgsShape, ToolCallArgs};
/// use agent_contracts::wire::JsonObject;
///
/// let input: JsonObject = serde_json::from_str(r#"{"mode":"day"}"#)?;
/// let args = ToolCallArgs::new("calendar", "read", input);
/// assert_eq!(args.call().map(|call| call.module), Some("calendar".into()));
///
/// let old = ToolCallArgs::from_json(r#"{"command":"calendar","subcommand":"read"}"#)?;
/// let call = old.call().unwrap();
/// assert_eq!((call.shape, call.method.as_deref()), (ArgsShape::Command, Some("read")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct ToolCallArgs(JsonObject);

/// The members that name module, method and input, by shape.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArgsShape {
    /// `module`, `method`, `input`: what is sent now.
    Canonical,
    /// `command`, `subcommand`, `args`: until 2026-04-24.
    Command,
    /// `skill`, `action`, `input`: one change of that day.
    Skill,
}

impl ArgsShape {
    /// Every shape, the newest first.
    pub const ALL: &[Self] = &[Self::Canonical, Self::Command, Self::Skill];

    /// The names of the members for module, method and input.
    pub const fn members(self) -> [&'static str; 3] {
        match self {
            Self::Canonical => ["module", "method", "input"],
            Self::Command => ["command", "subcommand", "args"],
            Self::Skill => ["skill", "action", "input"],
        }
    }
}

/// What a call of `project_cli` is about, whatever the shape of its arguments.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProjectCall {
    /// The shape that it was read from.
    pub shape: ArgsShape,
    /// The module, such as `calendar`.
    pub module: String,
    /// The method, such as `read`. Some producers have left it out.
    pub method: Option<String>,
    /// The input of the method, by contract an object.
    pub input: Option<Json>,
}

impl ToolCallArgs {
    /// Arguments in the canonical shape.
    pub fn new(module: &str, method: &str, input: impl Into<JsonObject>) -> Self {
        let text = |name: &str| serde_json::Value::from(name).to_string();
        let input = input.into();
        let object =
            format!("{{\"module\":{},\"method\":{},\"input\":{}}}", text(module), text(method), input.as_str());
        Self(JsonObject::from_valid(&object))
    }

    /// Reads JSON text.
    ///
    /// # Errors
    /// When it is no JSON object.
    pub fn from_json(text: &str) -> Result<Self, crate::wire::Error> {
        crate::wire::decode::from_json(text)
    }

    /// The object.
    pub const fn as_object(&self) -> &JsonObject {
        &self.0
    }

    /// What the call is about, if the object is of a known shape: it names a module.
    pub fn call(&self) -> Option<ProjectCall> {
        ArgsShape::ALL.iter().find_map(|shape| {
            let [module, method, input] = shape.members();
            let text = |name| self.0.get(name).and_then(|value| value.as_string());
            Some(ProjectCall { shape: *shape, module: text(module)?, method: text(method), input: self.0.get(input) })
        })
    }
}

impl From<JsonObject> for ToolCallArgs {
    fn from(object: JsonObject) -> Self {
        Self(object)
    }
}

impl Decode for ToolCallArgs {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        JsonObject::decode(cursor).map(Self)
    }
}

impl<'de> serde::Deserialize<'de> for ToolCallArgs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::wire::capture::deserialize(deserializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ToolCallArgs {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SocialAppToolCallArgs".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        JsonObject::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_recognised() {
        for (text, expected) in [
            (
                r#"{"module":"calendar","method":"read","input":{"a":1}}"#,
                Some((ArgsShape::Canonical, "calendar", Some("read"), Some("{\"a\":1}"))),
            ),
            (r#"{"module":"calendar","input":{}}"#, Some((ArgsShape::Canonical, "calendar", None, Some("{}")))),
            (
                r#"{"command":"calendar","subcommand":"create"}"#,
                Some((ArgsShape::Command, "calendar", Some("create"), None)),
            ),
            (
                r#"{"command":"calendar","subcommand":"read","args":{}}"#,
                Some((ArgsShape::Command, "calendar", Some("read"), Some("{}"))),
            ),
            (
                r#"{"skill":"calendar","action":"create_event"}"#,
                Some((ArgsShape::Skill, "calendar", Some("create_event"), None)),
            ),
            (r#"{"title":"Sync"}"#, None),
            ("{}", None),
        ] {
            let call = ToolCallArgs::from_json(text).unwrap().call();
            let found = call
                .as_ref()
                .map(|call| (call.shape, &*call.module, call.method.as_deref(), call.input.as_ref().map(Json::as_str)));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn quotes_in_names_stay_what_they_are() {
        let args = ToolCallArgs::new("a\"b", "c\\", serde_json::from_str::<JsonObject>("{\"n\":1e400}").unwrap());
        let call = args.call().unwrap();
        assert_eq!((&*call.module, call.method.as_deref()), ("a\"b", Some("c\\")));
        assert_eq!(call.input.unwrap().as_str(), "{\"n\":1e400}");
    }
}
