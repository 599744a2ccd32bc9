//! What shells and `man` are given is whole, and in their language.
#![cfg(feature = "cli")]

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

fn printed(arguments: &[&str]) -> String {
    let output = assert_cmd::cargo::cargo_bin_cmd!("agent-contracts").args(arguments).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands, as the help lists them.
fn commands() -> BTreeSet<String> {
    let help = printed(&["--help"]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The script of bash, if there is one here to read it.
fn is_refused_by_bash(script: &str) -> bool {
    let bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut bash) = bash else { return false };
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    !bash.wait().unwrap().success()
}

/// What bash completes the last word of a line to.
#[cfg(unix)]
fn completed(script: &str, line: &[&str]) -> BTreeSet<String> {
    let (word, before) = (line[line.len() - 1], line[line.len() - 2]);
    let call = format!(
        "{script}\nCOMP_WORDS=(\"$@\"); COMP_CWORD={}; _agent__contracts agent-contracts '{word}' '{before}'
        printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        line.len() - 1
    );
    let output = Command::new("bash").args(["-c", &call, "bash"]).args(line).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{line:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_what_each_command_has() {
    let script = printed(&["completions", "bash"]);
    for (line, words) in [
        (&["agent-contracts", "ch"][..], &["check"][..]),
        (&["agent-contracts", "check", "--fo"], &["--format"]),
        (&["agent-contracts", "check", "--format", "s"], &["sarif"]),
        (&["agent-contracts", "check", "--protocol", "li"], &["lime"]),
        (&["agent-contracts", "check", "-q", "--no-"], &["--no-config", "--no-ignore"]),
        (&["agent-contracts", "schema", "d"], &["diff"]),
        (&["agent-contracts", "schema", "diff", "--fail-on", "w"], &["wire-breaking"]),
    ] {
        let found = completed(&script, line);
        assert!(found.iter().map(String::as_str).eq(words.iter().copied()), "{line:?}: {found:?}");
    }
}

#[test]
fn every_shell_is_told_every_command() {
    let commands = commands();
    assert!(commands.contains("check") && commands.contains("completions"), "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for name in &commands {
            assert!(script.contains(name), "{shell} does not complete {name}");
        }
        assert!(script.contains("protocol"), "{shell} does not complete options");
        // The other two have no values to choose from.
        let has_values = matches!(shell, "bash" | "fish" | "zsh");
        assert!(!has_values || script.contains("social-app@v1"), "{shell} does not complete values");
        assert!(shell != "bash" || !is_refused_by_bash(&script), "bash does not take its script");
    }
    let unknown = assert_cmd::cargo::cargo_bin_cmd!("agent-contracts").args(["completions", "sh"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn every_command_has_a_page() {
    let page = printed(&["man"]);
    assert!(page.contains(".TH agent-contracts 1"), "{page}");
    let dir = tempfile::tempdir().unwrap();
    let pages = dir.path().join("man/man1");
    assert_eq!(printed(&["man", pages.to_str().unwrap()]), "");
    let written: BTreeSet<String> =
        std::fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for name in commands() {
        let file = format!("agent-contracts-{name}.1");
        assert!(written.contains(&file), "no page {file} in {written:?}");
        assert!(std::fs::read_to_string(pages.join(file)).unwrap().contains(".SH SYNOPSIS"));
    }
    assert!(written.contains("agent-contracts.1") && written.contains("agent-contracts-schema-export.1"));
    assert!(!written.iter().any(|name| name.contains("help")), "{written:?}");
}
