//! What a runtime can do, `lime-runtime-capability-manifest/v0.1`.

use super::event::RuntimeId;
use crate::wire::JsonObject;
use crate::wire::names::string_enum;
use crate::wire::payload::payload;

string_enum! {
    open
    /// Whether a capability is there.
    pub enum CapabilityStatus {
        /// It is.
        Supported = "supported",
        /// It is not.
        Unsupported = "unsupported",
        /// It is, with restrictions.
        Degraded = "degraded",
        /// It is, for the time being.
        Experimental = "experimental",
    }
}

string_enum! {
    open
    /// What a capability belongs to.
    pub enum CapabilityScope {
        /// The runtime.
        Runtime = "runtime",
        /// The provider.
        Provider = "provider",
        /// The session.
        Session = "session",
        /// The turn.
        Turn = "turn",
        /// The tool.
        Tool = "tool",
    }
}

payload! {
    /// What a runtime can do.
    pub struct CapabilityManifest = "LimeCapabilityManifest", open {
        /// The version of the contract, `lime-runtime-capability-manifest/v0.1`.
        required schema_version: String = "schemaVersion",
        /// The runtime.
        required runtime_id: RuntimeId = "runtimeId",
        /// When the manifest was made, ISO 8601 text as it came.
        required generated_at: String = "generatedAt",
        /// The capabilities.
        required capabilities: Vec<Capability> = "capabilities",
        /// The provider.
        optional provider_id: String = "providerId",
        /// The session.
        optional session_id: String = "sessionId",
    }
}

payload! {
    /// One capability, such as `state.delta`.
    pub struct Capability = "LimeCapability", open {
        /// Its open id.
        required id: String = "id",
        /// Whether it is there.
        required status: CapabilityStatus = "status",
        /// What it belongs to.
        required scope: CapabilityScope = "scope",
        /// A short line for people.
        required title: String = "title",
        /// A longer text for people.
        optional detail: String = "detail",
        /// Its version.
        optional version: String = "version",
        /// Small structured details, no secrets.
        optional metadata: JsonObject = "metadata",
    }
}
