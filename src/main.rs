//! The `agent-contracts` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    agent_contracts::cli::main()
}
