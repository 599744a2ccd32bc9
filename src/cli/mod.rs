//! The command line: arguments in, findings on stdout, everything else on stderr.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is where output is made")]

mod args;
mod check;
mod explain;
mod files;
mod fixtures;
mod output;
mod schemas;
mod session;

use std::process::ExitCode;

pub(crate) use output::json::report_schema;

/// What a command came to, worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
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

/// Runs the command line with the arguments of the process.
pub fn main() -> ExitCode {
    let args = match args::Args::read() {
        Ok(args) => args,
        Err(error) => {
            // clap prints help to stdout and errors to stderr.
            let _ = error.print();
            return if error.use_stderr() { Status::Failed.into() } else { ExitCode::SUCCESS };
        }
    };
    args.color.apply();
    let outcome = match args.command {
        args::Command::Check(args) => check::run(&args),
        args::Command::Test(args) => fixtures::run(&args),
        args::Command::Schema(args) => schemas::run(&args),
        args::Command::Rules(args) => explain::rules(&args),
        args::Command::Explain(args) => explain::explain(&args),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(Failure::Pipe) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            complain(&message);
            Status::Failed.into()
        }
    }
}

/// Why a command could not do its work at all.
#[derive(Debug)]
enum Failure {
    /// Whoever reads our output has gone, as `head` does.
    Pipe,
    Message(String),
}

impl Failure {
    fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe { Self::Pipe } else { Self::Message(error.to_string()) }
    }
}

type Outcome<T = Status> = Result<T, Failure>;

/// Says on stderr what went wrong.
fn complain(message: &str) {
    anstream::eprintln!("\u{1b}[1m\u{1b}[31merror\u{1b}[0m: {message}");
}

/// Says on stderr what is worth knowing.
fn remark(message: &str) {
    anstream::eprintln!("\u{1b}[1mnote\u{1b}[0m: {message}");
}
