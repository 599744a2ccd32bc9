//! The command line: arguments in, findings on stdout, everything else on stderr.
//!
//! What a stream is and what is wrong with it the library knows; here are arguments, files
//! and printing.

mod args;
mod check;
mod console;
mod explain;
mod files;
mod fixtures;
mod output;
mod schema_diff;
mod schema_files;
mod schema_rules;
mod schemas;
mod source;

use std::process::ExitCode;

use console::{Failure, Status, complain};

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
