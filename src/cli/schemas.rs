//! `schema`: the generator, and the check that the committed files are its output.

use std::io::Write;

use super::args::{SchemaArgs, SchemaCommand};
use super::console::{Failure, Outcome, Status, say};
use crate::schema;

pub(super) fn run(args: &SchemaArgs) -> Outcome {
    match &args.command {
        SchemaCommand::Export { dir } => {
            let failed = |error| Failure::new(format!("{}: {error}", dir.display()));
            let written = schema::export(dir).map_err(failed)?;
            say(&format!("wrote {} schemas to {}", written.len(), dir.display()));
            Ok(Status::Clean)
        }
        SchemaCommand::Check { dir } => {
            let failed = |error| Failure::new(format!("{}: {error}", dir.display()));
            let drift = schema::drift(dir).map_err(failed)?;
            let mut out = anstream::stdout().lock();
            for drift in &drift {
                writeln!(out, "{}: {drift}", dir.display())?;
            }
            if drift.is_empty() {
                say(&format!("{} schemas are as generated", schema::files().len()));
                return Ok(Status::Clean);
            }
            say(&format!("run `agent-contracts schema export {}` and commit the result", dir.display()));
            Ok(Status::Findings)
        }
        SchemaCommand::Diff(args) => super::schema_diff::run(args),
    }
}
