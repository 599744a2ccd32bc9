//! What of a protocol goes over HTTP, for documents that describe interfaces.

/// A request, and its answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    /// In lower case.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// One word, by which generators of clients name the function.
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) request: Option<Body>,
    pub(crate) answers: &'static [Answer],
}

/// A value in the path, the query or a header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// `path`, `query` or `header`.
    pub(crate) place: &'static str,
    pub(crate) required: bool,
    /// `string`, `integer` or `boolean`.
    pub(crate) kind: &'static str,
    pub(crate) description: &'static str,
}

/// What a status says, and what comes with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) status: &'static str,
    pub(crate) description: &'static str,
    pub(crate) body: Option<Body>,
}

/// The body of a request or an answer. Names are those of published definitions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Body {
    /// One JSON value.
    Json(&'static str),
    /// A JSON object that no schema describes.
    Object,
    /// Server-sent events whose data is an event.
    Events(&'static str),
    /// Server-sent events that are the branches of a union: each has the name of the frame, and its data.
    Frames(&'static str),
}

impl Parameter {
    /// A part of the path.
    pub(crate) const fn path(name: &'static str, description: &'static str) -> Self {
        Self { name, place: "path", required: true, kind: "string", description }
    }

    /// A value of the query that need not be there.
    pub(crate) const fn query(name: &'static str, kind: &'static str, description: &'static str) -> Self {
        Self { name, place: "query", required: false, kind, description }
    }
}

impl Answer {
    pub(crate) const fn new(status: &'static str, description: &'static str, body: Body) -> Self {
        Self { status, description, body: Some(body) }
    }

    /// An answer of which only the status counts.
    pub(crate) const fn bare(status: &'static str, description: &'static str) -> Self {
        Self { status, description, body: None }
    }
}
