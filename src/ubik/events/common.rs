//! The member that nearly every session event ends with.

use crate::wire::payload::common_members;

common_members! { $ timed {
        /// When it was sent, ISO 8601; precision and zone are not published.
        required timestamp: String = "timestamp",
} }
