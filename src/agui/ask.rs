//! The input of a run that asks one question, for `agent-contracts record --ask`.

use super::events::{Message, RunAgentInput, UserMessage};
use crate::wire::{Json, NonNullJson};

/// A new conversation with one message of the user. `stamp` tells its ids from those of others.
pub(super) fn ask(question: &str, stamp: &str) -> String {
    let message = UserMessage::new(format!("msg_{stamp}"), question);
    let mut input = RunAgentInput::new(format!("thread_{stamp}"), format!("run_{stamp}"), vec![Message::from(message)]);
    // Servers older than 1.0 want all of these.
    let nothing = || NonNullJson::new(Json::from_valid("{}"));
    (input.state, input.forwarded_props) = (nothing(), nothing());
    (input.tools, input.context) = (Some(Vec::new()), Some(Vec::new()));
    serde_json::to_string(&input).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked() {
        let asked = ask("Find \"total\"", "1a2b");
        let expected = r#"{"threadId":"thread_1a2b","runId":"run_1a2b","state":{},"messages":[{"role":"user","id":"msg_1a2b","content":"Find \"total\""}],"tools":[],"context":[],"forwardedProps":{}}"#;
        assert_eq!(asked, expected);
        assert!(RunAgentInput::from_json(&asked).is_ok());
    }
}
