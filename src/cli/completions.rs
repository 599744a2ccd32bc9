//! `completions` and `man`: what shells and `man` read, made of the arguments themselves.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::{Args, CompletionsArgs, ManArgs};
use super::console::{Failure, Outcome, Status};

pub(super) fn completions(args: &CompletionsArgs) -> Outcome {
    let mut command = Args::command();
    let name = command.get_name().to_owned();
    // The generator cannot report that its output is closed, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name.as_str(), &mut script);
    if args.shell == Shell::Bash {
        script = under_one_name(&script, &name);
    }
    print(&script)
}

/// The script of bash, in which clap_complete 4.6 looks up what a subcommand has under another
/// name than the one by which it found the subcommand, where the command has a hyphen.
fn under_one_name(script: &[u8], command: &str) -> Vec<u8> {
    let name = |hyphen| format!("{}__subcmd__", command.replace('-', hyphen));
    String::from_utf8_lossy(script).replace(&name("__subcmd__"), &name("__")).into_bytes()
}

pub(super) fn man(args: &ManArgs) -> Outcome {
    let command = Args::command();
    if let Some(dir) = &args.dir {
        let written = std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command, dir));
        written.map_err(|error| Failure::new(format!("{}: {error}", dir.display())))?;
        return Ok(Status::Clean);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    print(&page)
}

fn print(text: &[u8]) -> Outcome {
    let mut out = std::io::stdout().lock();
    out.write_all(text)?;
    out.flush()?;
    Ok(Status::Clean)
}
