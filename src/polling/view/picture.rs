//! A view as JSON, for user interfaces.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::task::TaskView;

impl Serialize for TaskView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut picture = serializer.serialize_struct("TaskView", 15)?;
        picture.serialize_field("task_id", &self.task_id())?;
        picture.serialize_field("conversation_id", &self.conversation_id())?;
        picture.serialize_field("next_idx", &self.next_idx())?;
        picture.serialize_field("attempt", &self.attempt())?;
        picture.serialize_field("requests", &self.requests())?;
        picture.serialize_field("request_pending", &self.is_request_pending())?;
        picture.serialize_field("streaming", &self.is_streaming())?;
        picture.serialize_field("truncated", &self.is_truncated())?;
        picture.serialize_field("messages", self.messages())?;
        picture.serialize_field("approvals", &self.approvals())?;
        picture.serialize_field("questions", &self.questions())?;
        picture.serialize_field("plans", &self.plans())?;
        picture.serialize_field("reviews", &self.reviews().collect::<Vec<_>>())?;
        picture.serialize_field("goal", &self.goal())?;
        picture.serialize_field("end", &self.end())?;
        picture.end()
    }
}
