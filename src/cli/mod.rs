//! The command line: arguments in, findings on stdout, everything else on stderr.
//!
//! What a stream is and what is wrong with it the library knows; here are arguments, files
//! and printing.

mod ahead;
mod args;
mod baseline;
mod bounds;
mod check;
mod choice;
mod completions;
mod config;
mod console;
mod describe;
mod drive;
mod expect;
mod expected;
mod explain;
mod files;
mod fixtures;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod globs;
mod ignored;
mod interrupt;
mod limit;
mod list;
mod names;
mod output;
mod parallel;
mod paths;
mod plan;
mod progress;
mod reader;
#[cfg(feature = "net")]
mod record;
mod schema_diff;
mod schema_files;
mod schema_rules;
mod schemas;
mod setup;
mod source;
mod test_rules;
mod tested;
#[cfg(feature = "net")]
mod units;
mod verbose;
mod waivers;
mod whole;
mod zstd;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use console::{Failure, Status, complain, shown};

/// Runs the command line with the arguments of the process.
pub fn main() -> ExitCode {
    let args = match args::Args::read() {
        Ok(args) => args,
        Err(mut error) => {
            // clap prints help to stdout and errors to stderr.
            let is_printed = harmless(&mut error).print().map_err(Failure::from);
            let is_fine = !error.use_stderr() && !matches!(is_printed, Err(Failure::Message(_)));
            return if is_fine { ExitCode::SUCCESS } else { Status::Failed.into() };
        }
    };
    args.color.apply();
    let outcome = match args.command {
        args::Command::Check(args) => check::run(&args),
        #[cfg(feature = "net")]
        args::Command::Record(args) => record::run(&args),
        #[cfg(not(feature = "net"))]
        args::Command::Record(_) => {
            Err(Failure::new("this build makes no connections; build it with `--features net` to record"))
        }
        args::Command::Test(args) => fixtures::run(&args),
        args::Command::Schema(args) => schemas::run(&args),
        args::Command::Rules(args) => explain::rules(&args),
        args::Command::Explain(args) => explain::explain(&args),
        args::Command::Completions(args) => completions::completions(&args),
        args::Command::Man(args) => completions::man(&args),
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

/// An error about arguments that shows them as any message does.
fn harmless(error: &mut clap::Error) -> &clap::Error {
    let shown_in = |value: &ContextValue| match value {
        ContextValue::String(text) => Some(ContextValue::String(shown(text))),
        ContextValue::Strings(texts) => Some(ContextValue::Strings(texts.iter().map(|text| shown(text)).collect())),
        _ => None,
    };
    let values: Vec<_> = error.context().filter_map(|(kind, value)| Some((kind, shown_in(value)?))).collect();
    for (kind, value) in values {
        if error.insert(kind, value.clone()).is_some_and(|before| before != value) {
            // Advice has the value in it.
            error.insert(ContextKind::Suggested, ContextValue::None);
        }
    }
    error
}
