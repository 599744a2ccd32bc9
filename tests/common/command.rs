//! The command, run in a folder of its own.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// What says something about the terminal, the repository and the CI service.
const SURROUNDINGS: [&str; 9] = [
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_WORKSPACE",
    "CI_PROJECT_DIR",
];

/// A folder that the command is run in, so that outputs have relative paths.
pub struct Scene(TempDir);

impl Scene {
    pub fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The root of a repository with these files: no configuration above it counts.
    pub fn repository(files: &[(&str, &str)]) -> Self {
        let scene = Self::empty();
        std::fs::create_dir(scene.path(".git")).unwrap();
        for (name, content) in files {
            scene.write(name, content);
        }
        scene
    }

    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.write(name, content);
        self
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// The command, in surroundings that say nothing.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("agent-contracts");
        command.args(arguments).current_dir(self.root()).env("COLUMNS", "100");
        command.env("GIT_CEILING_DIRECTORIES", self.root().parent().unwrap());
        for name in SURROUNDINGS {
            command.env_remove(name);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        Run::of(arguments, &mut self.command(arguments))
    }

    /// Runs the command with arguments that have spaces between.
    pub fn run_line(&self, arguments: &str) -> Run {
        self.run_in(".", arguments)
    }

    /// The same, in a folder below.
    pub fn run_in(&self, below: &str, arguments: &str) -> Run {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        Run::of(&arguments, self.command(&arguments).current_dir(self.path(below)))
    }
}

/// A run, printed as a terminal shows it.
pub struct Run {
    command: String,
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn of(arguments: &[&str], command: &mut Command) -> Self {
        Self::ended(arguments, command.output().unwrap())
    }

    /// A run that came to this.
    pub fn ended(arguments: &[&str], output: Output) -> Self {
        Self {
            command: arguments.join(" "),
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What was printed, where that is JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// The rules of the findings that are printed for people, as in `lime/secret-key lime/secret-value`.
    pub fn rules(&self) -> String {
        let titles = self.stdout.lines().filter(|line| line.contains("]: "));
        let rules = titles.filter_map(|line| line.split_once('[')?.1.split_once(']').map(|(rule, _)| rule));
        rules.collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.status.map_or("none".to_owned(), |status| status.to_string());
        writeln!(f, "$ agent-contracts {}\nexit status: {status}", self.command)?;
        write!(f, "----- stdout -----\n{}----- stderr -----\n{}", self.stdout, self.stderr)
    }
}

/// An event of Lime, with members at its end.
pub fn event(number: usize, class: &str, rest: &str) -> String {
    let (kind, status) = match class.split('.').next() {
        Some("tool") => ("tool", "running"),
        Some("state") => ("state", "running"),
        _ => ("context", "completed"),
    };
    format!(
        r#"{{"id":"evt_{number}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"app-server","threadId":"thread_1","turnId":"turn_1","eventClass":"{class}","kind":"{kind}","status":"{status}","sequence":{number},"title":"Search","createdAt":"2026-06-10T08:00:00.000Z"{rest}}}"#
    ) + "\n"
}

/// Events, numbered from 1: `c` is clean, `w` has a warning, `e` an error.
pub fn recording(kinds: &str) -> String {
    let one = |(index, kind): (usize, char)| match kind {
        'w' => event(index + 1, "state.delta", r#","stepId":"""#),
        'e' => event(index + 1, "tool.started", ""),
        _ => event(index + 1, "context.resolved", ""),
    };
    kinds.chars().enumerate().map(one).collect()
}
