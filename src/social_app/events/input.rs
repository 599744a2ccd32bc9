//! What `POST /api/v1/agent/runs` takes to create a run.

use super::super::visibility::RuntimeMode;
use crate::agui::{MessageId, RunId, ThreadId};
use crate::wire::decode::{Decode, Outcome, wrong_type};
use crate::wire::names::string_enum;
use crate::wire::payload::payload;
use crate::wire::scan::{Cursor, Kind};
use crate::wire::text::is_uuid;
use crate::wire::{Error, Extra, Integer, Json};

string_enum! {
    open
    /// Who has written a message of the input.
    pub enum InputRole {
        /// The user, of whom there is exactly one message.
        User = "user",
        /// The agent.
        Assistant = "assistant",
        /// The system.
        System = "system",
        /// A tool.
        Tool = "tool",
    }
}

string_enum! {
    open
    /// What a block of a message holds.
    pub enum InputBlockType {
        /// Text.
        Text = "text",
        /// An image, by its URL.
        Binary = "binary",
    }
}

payload! {
    /// A block of a message.
    pub struct InputBlock = "SocialAppInputBlock", open {
        /// What it holds.
        required kind: InputBlockType = "type",
        /// The text of a text block.
        optional text: String = "text",
        /// The media type of a binary block, an image.
        optional mime_type: String = "mimeType",
        /// The URL of a binary block, signed by the project itself.
        optional url: String = "url",
        /// The content itself, which the backend refuses.
        optional data: String = "data",
    }
}

/// What a message says.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum InputContent {
    /// Text.
    Text(String),
    /// Blocks of text and images.
    Blocks(Vec<InputBlock>),
}

payload! {
    /// A message of the input.
    pub struct InputMessage = "SocialAppInputMessage", open {
        /// The message.
        optional id: MessageId = "id",
        /// Who has written it.
        required role: InputRole = "role",
        /// What it says.
        required content: InputContent = "content",
    }
}

payload! {
    /// The time where the user is.
    pub struct ClientTime = "SocialAppClientTime", open {
        /// The time zone of the device, by its IANA name.
        optional device_timezone: String = "device_timezone",
        /// The time there, RFC 3339.
        optional client_now_iso: String = "client_now_iso",
        /// The time in milliseconds since the epoch.
        optional client_epoch_ms: Integer = "client_epoch_ms",
    }
}

payload! {
    /// How a run is to be made.
    pub struct ForwardedProps = "SocialAppForwardedProps", open {
        /// Who has begun it.
        required runtime_mode: RuntimeMode = "runtime_mode",
        /// The time where the user is.
        optional client_time: ClientTime = "client_time",
    }
}

payload! {
    /// What a run is created from. The backend refuses members that are not named here.
    ///
    /// ```
    /// use agent_contracts::social_app::{ForwardedProps, InputMessage, InputRole, RunAgentInput, RuntimeMode};
    ///
    /// let question = InputMessage::new(InputRole::User, "明天有什么安排?");
    /// let thread = "550e8400-e29b-41d4-a716-446655440000";
    /// let input = RunAgentInput::new(thread, "run-001", [question], ForwardedProps::new(RuntimeMode::Chat));
    /// assert_eq!(input.validate(), Ok(()));
    /// ```
    ///
    /// Since 0.1.0. Source: run-agent-input.md.
    pub struct RunAgentInput = "SocialAppRunAgentInput", closed {
        /// The conversation, a UUID.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run, at most 128 characters.
        required run_id: RunId = "runId" where {"minLength": 1, "maxLength": 128},
        /// The run that has begun this one.
        optional parent_run_id: RunId = "parentRunId",
        /// The shared state; of no published shape.
        optional state: Json = "state",
        /// The messages, at most 200, exactly one of them the user's.
        required messages: Vec<InputMessage> = "messages" where {"maxItems": 200},
        /// Tools of the client; of no published shape.
        optional tools: Vec<Json> = "tools",
        /// What else the agent is to know; of no published shape.
        optional context: Vec<Json> = "context",
        /// How the run is to be made.
        required forwarded_props: ForwardedProps = "forwardedProps",
    }
}

/// Why the backend refuses an input that is of its shape.
///
/// Since 0.1.0. Source: run-agent-input.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunAgentInputError {
    /// The thread is named by something else than a UUID.
    #[error("threadId is no UUID")]
    ThreadId,
    /// The id of the run is empty or too long.
    #[error("runId must have 1 to 128 characters")]
    RunId,
    /// There are too many messages.
    #[error("there are more than 200 messages")]
    Messages,
    /// The user has written no message of them, or several.
    #[error("exactly one message must have the role `user`")]
    UserMessages,
    /// A binary block is no image, has no URL, or holds the image itself.
    #[error("a binary block must be an image given by `url`")]
    Binary,
    /// Members are there that the backend does not know.
    #[error("the input has members that are not known")]
    UnknownMember,
}

/// Members that the backend takes in snake case as well.
const ALIASES: [(&str, &str); 4] = [
    ("thread_id", "threadId"),
    ("run_id", "runId"),
    ("parent_run_id", "parentRunId"),
    ("forwarded_props", "forwardedProps"),
];

impl RunAgentInput {
    /// Reads JSON text whose members may be in snake case, which the backend takes as well.
    ///
    /// # Errors
    /// When the text is not JSON or not of this shape.
    pub fn from_json_of_any_case(text: &str) -> Result<Self, Error> {
        let members: Extra = crate::wire::decode::from_json(text)?;
        let mut renamed = Extra::new();
        for (name, value) in members.iter() {
            let alias = ALIASES.iter().find(|(snake, _)| *snake == name);
            renamed.push(alias.map_or(name, |(_, camel)| *camel), value.clone());
        }
        Self::from_json(&serde_json::to_string(&renamed).unwrap_or_default())
    }

    /// Whether the backend takes the input.
    ///
    /// # Errors
    /// With the first reason for which it does not.
    pub fn validate(&self) -> Result<(), RunAgentInputError> {
        let by_user = self.messages.iter().filter(|message| message.role == InputRole::User).count();
        for (fits, error) in [
            (is_uuid(self.thread_id.as_str()), RunAgentInputError::ThreadId),
            ((1..=128).contains(&self.run_id.as_str().chars().count()), RunAgentInputError::RunId),
            (self.messages.len() <= 200, RunAgentInputError::Messages),
            (by_user == 1, RunAgentInputError::UserMessages),
            (self.messages.iter().all(InputMessage::is_without_data), RunAgentInputError::Binary),
            (self.extra.is_empty(), RunAgentInputError::UnknownMember),
        ] {
            if !fits {
                return Err(error);
            }
        }
        Ok(())
    }
}

impl InputMessage {
    /// Whether every binary block is an image by its URL.
    fn is_without_data(&self) -> bool {
        let InputContent::Blocks(blocks) = &self.content else { return true };
        let is_image = |block: &InputBlock| {
            let mime = block.mime_type.as_deref().unwrap_or_default();
            mime.starts_with("image/") && block.url.is_some() && block.data.is_none()
        };
        blocks.iter().all(|block| block.kind != InputBlockType::Binary || is_image(block))
    }
}

impl From<String> for InputContent {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for InputContent {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<Vec<InputBlock>> for InputContent {
    fn from(blocks: Vec<InputBlock>) -> Self {
        Self::Blocks(blocks)
    }
}

impl Decode for InputContent {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        match cursor.kind()? {
            Kind::String => Decode::decode(cursor).map(Self::Text),
            Kind::Array => Decode::decode(cursor).map(Self::Blocks),
            _ => wrong_type(cursor, "a string or an array"),
        }
    }
}

impl<'de> serde::Deserialize<'de> for InputContent {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::wire::capture::deserialize(deserializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for InputContent {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SocialAppInputContent".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let blocks = generator.subschema_for::<Vec<InputBlock>>();
        schemars::json_schema!({"anyOf": [{"type": "string"}, blocks]})
    }
}
