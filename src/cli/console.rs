//! Results of commands, and messages on stderr.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use super::progress;
use crate::safe::{is_obeyed, without_tokens};

/// What a command came to, worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    Clean,
    /// Findings at or above the threshold, or fixtures that do not hold.
    Findings,
    /// Wrong usage, or input that could not be read.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Clean => Self::SUCCESS,
            Status::Findings => Self::from(1),
            Status::Failed => Self::from(2),
        }
    }
}

/// Why a command could not do its work at all.
#[derive(Debug)]
pub(super) enum Failure {
    /// The reader of our output has gone, as `head` does.
    Pipe,
    Message(String),
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            Self::Pipe
        } else {
            Self::Message(format!("the output cannot be written: {error}"))
        }
    }
}

pub(super) type Outcome<T = Status> = Result<T, Failure>;

/// Says something on stderr. Where that cannot be written, nobody reads it.
pub(super) fn say(message: &str) {
    let _hidden = progress::hidden();
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Says on stderr what went wrong. It is one line, whatever the names in it are: a line of
/// its own may be a command to whoever reads the log.
pub(super) fn complain(message: &str) {
    say(&format!("{}: {}", coloured(RED, "error"), shown(message)));
}

/// Says on stderr what is worth knowing.
pub(super) fn remark(message: &str) {
    say(&format!("{}: {}", bold("note"), shown(message)));
}

pub(super) const RED: &str = "31";
pub(super) const YELLOW: &str = "33";
pub(super) const CYAN: &str = "36";

pub(super) fn bold(text: impl fmt::Display) -> String {
    format!("\u{1b}[1m{text}\u{1b}[0m")
}

/// Bold, and in a colour.
pub(super) fn coloured(colour: &str, text: impl fmt::Display) -> String {
    format!("\u{1b}[1m\u{1b}[{colour}m{text}\u{1b}[0m")
}

/// Text from outside, such as a file name, without what a terminal or a build would obey, and
/// without what looks like a secret.
pub(super) fn shown(text: &str) -> String {
    let text = without_tokens(text);
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if is_obeyed(c) || is_command(&text, at) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// How a command to a build begins, anywhere in a line of its log.
const COMMANDS: [&str; 3] = ["##[", "##vso[", "##teamcity["];

/// The text with a blank in each command to a build, as long as before.
pub(super) fn without_commands(text: String) -> String {
    let broken = |text: String, command: &&str| text.replace(*command, &command.replacen("##", "# ", 1));
    COMMANDS.iter().fold(text, broken)
}

/// Whether what begins here is a command to a build whose log has the text: one of [`COMMANDS`], or `::…` where a line
/// begins.
fn is_command(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let is_first = || before.chars().all(char::is_whitespace);
    COMMANDS.iter().any(|command| after.starts_with(command)) || after.starts_with("::") && is_first()
}
