//! What is known of a stream beforehand.

/// Settings that some protocols ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// The version of the protocol, by its name.
    pub(crate) version: Option<&'static str>,
    /// The run that the connection is for.
    pub(crate) run_id: Option<Box<str>>,
    /// The stream goes on where another connection broke.
    pub(crate) resumed: bool,
}
