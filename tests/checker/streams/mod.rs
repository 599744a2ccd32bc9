//! Clean streams made from a seed, and faults that spoil one place of them.

mod agui;
mod lime;
mod polling;
mod social_app;
mod source;
mod spoil;
mod ubik;

pub use agui::agui;
pub use lime::lime;
pub use polling::{polling, polling_responses};
pub use social_app::social_app;
pub use source::Source;
pub use spoil::{Fault, Way};
pub use ubik::{frame, tool_frame, ubik, ubik_tool};
