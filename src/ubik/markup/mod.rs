//! The tags in the text of a message: parsed into a tree, with faults.
//!
//! A stored message, and the text of `response_chunk` events, hold tags such as
//! `<<STEP_START>>` around steps, thoughts, tool calls, checkpoints, questions and errors.
//! [`Markup::parse`] takes a whole text, a [`Parser`] takes it in pieces cut anywhere. What
//! is no tag of the guide is text, and `Display` writes every tree back as it came.
//!
//! ```
//! use agent_contracts::ubik::markup::{Markup, Node};
//!
//! let text = "<<thinking>>\nParis?\n<</thinking>>\nI will check.";
//! let markup = Markup::parse(text);
//! assert!(matches!(markup.nodes(), [Node::Thinking(_), Node::Text(_)]));
//! assert!(markup.faults().is_empty());
//! assert_eq!(markup.to_string(), text);
//! ```
//!
//! What the guide leaves open, and how it is read here:
//!
//! - The body of a tool's input or result, of a user's input and of `ERROR_JSON` runs to the
//!   first end tag of its kind. There is no escaping, so a result that quotes its own end tag
//!   ends there and is not JSON. A whole JSON value with another tag behind it has lost its
//!   end tag.
//! - The first `:` behind `TOOL_STEP_START/` divides name and id. Without one the id is empty.
//!   Both lie on one line, hold no `<`, and take at most [`LABEL_BYTES`] bytes; else the tag
//!   is text.
//! - No block lies in another of its kind, and no step lies in any other block, so the tree is
//!   never deep. A tag that begins such a block ends the open one, as does the end tag of a
//!   block around it.
//!
//! Source: message structure guide.

mod fault;
mod node;
mod parser;
mod piece;
mod plain;
mod raw;
pub(crate) mod tag;
mod tree;

pub use fault::{Fault, FaultKind};
pub use node::{Block, Body, Checkpoint, ErrorBlock, InputRequired, Node, Step, Thinking, Tool};
pub use parser::{Parser, ParserLimits};
pub use piece::Piece;
pub use plain::{contains_text, without_structure};
pub use tag::{LABEL_BYTES, Span, TagKind};
pub use tree::{Markup, Walk};
