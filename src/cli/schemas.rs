//! `schema`: the generator, and the check that the committed files are its output.

use super::args::{SchemaArgs, SchemaCommand};
use super::{Failure, Outcome, Status};
use crate::schema;

pub(super) fn run(args: &SchemaArgs) -> Outcome {
    match &args.command {
        SchemaCommand::Export { dir } => {
            let failed = |error| Failure::new(format!("{}: {error}", dir.display()));
            let written = schema::export(dir).map_err(failed)?;
            anstream::eprintln!("wrote {} schemas to {}", written.len(), dir.display());
            Ok(Status::Clean)
        }
        SchemaCommand::Check { dir } => {
            let failed = |error| Failure::new(format!("{}: {error}", dir.display()));
            let drift = schema::drift(dir).map_err(failed)?;
            for drift in &drift {
                anstream::println!("{}: {drift}", dir.display());
            }
            if drift.is_empty() {
                anstream::eprintln!("{} schemas are as generated", schema::files().len());
                return Ok(Status::Clean);
            }
            anstream::eprintln!("run `agent-contracts schema export {}` and commit the result", dir.display());
            Ok(Status::Findings)
        }
    }
}
