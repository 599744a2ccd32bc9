//! The fixture document `agent-ui-fixture/v0.1`: events with what they should lead to.

use super::event::Event;
use super::read_model::ReadModel;
use crate::wire::Number;
use crate::wire::payload::payload;

/// The `schemaVersion` of fixtures.
///
/// Since 0.1.0.
pub const FIXTURE_SCHEMA_VERSION: &str = "agent-ui-fixture/v0.1";

payload! {
    /// Events with what they should lead to, `AgentUiFixture`.
    pub struct Fixture = "LimeFixture", open {
        /// The id of the fixture.
        required id: String = "id",
        /// The version of the document, `agent-ui-fixture/v0.1`.
        required schema_version: String = "schemaVersion",
        /// A short line for people.
        required title: String = "title",
        /// The events, in order.
        required events: Vec<Event> = "events",
        /// What they should lead to.
        required expected: Expectation = "expected",
        /// The read model before the first event.
        optional initial_read_model: ReadModel = "initialReadModel",
        /// The read model after the last event.
        optional final_read_model: ReadModel = "finalReadModel",
    }
}

payload! {
    /// What the events of a fixture should lead to.
    pub struct Expectation = "LimeExpectation", open {
        /// The status at the end.
        required status: String = "status",
        /// The least number of message parts.
        optional message_part_count: Number = "messagePartCount",
        /// The least number of timeline entries.
        optional timeline_entry_count: Number = "timelineEntryCount",
        /// The least number of graph nodes.
        optional graph_node_count: Number = "graphNodeCount",
        /// The exact number of pending actions.
        optional pending_action_count: Number = "pendingActionCount",
        /// The least number of artifacts.
        optional artifact_count: Number = "artifactCount",
        /// The least number of pieces of evidence.
        optional evidence_count: Number = "evidenceCount",
        /// What coding events should lead to.
        optional coding: CodingExpectation = "coding",
        /// What subagent events should lead to.
        optional subagents: SubagentsExpectation = "subagents",
        /// Codes of findings that are meant to be there.
        optional diagnostics: Vec<String> = "diagnostics",
    }
}

payload! {
    /// What coding events should lead to.
    pub struct CodingExpectation = "LimeCodingExpectation", open {
        /// The number of files.
        optional file_count: Number = "fileCount",
        /// The number of changes.
        optional change_count: Number = "changeCount",
        /// The number of patches.
        optional patch_count: Number = "patchCount",
        /// The number of commands.
        optional command_count: Number = "commandCount",
        /// The number of test runs.
        optional test_count: Number = "testCount",
        /// The number of blocks.
        optional blocked_count: Number = "blockedCount",
        /// The number of failed patches.
        optional failed_patch_count: Number = "failedPatchCount",
        /// The number of failed test runs.
        optional failed_test_count: Number = "failedTestCount",
    }
}

payload! {
    /// What subagent events should lead to.
    pub struct SubagentsExpectation = "LimeSubagentsExpectation", open {
        /// Whether there are any.
        optional has_subagents: bool = "hasSubagents",
        /// The number of threads.
        optional thread_count: Number = "threadCount",
        /// The number of delegations.
        optional delegation_call_count: Number = "delegationCallCount",
        /// The number of activities.
        optional activity_count: Number = "activityCount",
        /// The number of threads at work.
        optional active_thread_count: Number = "activeThreadCount",
        /// The number of threads that ended well.
        optional completed_thread_count: Number = "completedThreadCount",
        /// The number of threads that ended badly.
        optional failed_thread_count: Number = "failedThreadCount",
    }
}
