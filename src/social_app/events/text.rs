//! The answer of a run.

use super::names::{AssistantRole, CostSource, ResultType, Stage, TextStatus};
use crate::agui::{MessageId, RunId, ThreadId};
use crate::wire::payload::payload;
use crate::wire::{Json, JsonObject, Nullable, Number};

payload! {
    /// Carries the whole answer. No start and no pieces of text come before it.
    pub struct TextMessageEnd = "SocialAppTextMessageEndEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// The message.
        required message_id: MessageId = "messageId" where {"minLength": 1},
        /// Always assistant.
        required role: AssistantRole = "role",
        /// The stage that has written it.
        required stage: Stage = "stage",
        /// How it turned out.
        required status: TextStatus = "status",
        /// The text.
        required answer: String = "answer",
        /// What the user could ask next.
        required suggested_actions: Vec<String> = "suggested_actions",
        /// What went wrong; of no published shape.
        optional error: Json = "error",
        /// The essence in a few sentences; v0 only.
        optional key_points: Vec<String> = "key_points",
        /// What kind of answer it is; v0 only.
        optional result_type: ResultType = "result_type",
        /// How to show the answer; v0 only.
        optional ui_schema: Nullable<JsonObject> = "ui_schema",
        /// The tokens of all model calls of the run; v1.
        optional total_tokens: Number = "totalTokens" where {"minimum": 0},
        /// Of the prompt, the tokens that the provider had cached; v1.
        optional cached_prompt_tokens: Number = "cachedPromptTokens" where {"minimum": 0},
        /// The tokens that the provider counts as cache hits; v1.
        optional prompt_cache_hit_tokens: Number = "promptCacheHitTokens" where {"minimum": 0},
        /// The tokens that the provider counts as cache misses; v1.
        optional prompt_cache_miss_tokens: Number = "promptCacheMissTokens" where {"minimum": 0},
        /// The tokens of reasoning; null where the provider does not say; v1.
        optional reasoning_tokens: Nullable<Number> = "reasoningTokens" where {"minimum": 0},
        /// Where the cost of the run comes from, which itself is not sent; v1.
        optional cost_source: CostSource = "costSource",
        /// Whether every model call of the run has reported its usage; v1.
        optional usage_complete: bool = "usageComplete",
    }
}
