//! The command, run in a folder of its own.

use std::fmt;
use std::path::PathBuf;

use tempfile::TempDir;

/// A folder with files. It is the root of a repository, so that nothing above it counts.
pub struct Folder(TempDir);

impl Folder {
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(folder.path(".git")).unwrap();
        for (name, content) in files {
            folder.write(name, content);
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs the command with arguments that have spaces between.
    pub fn run(&self, arguments: &str) -> Run {
        self.run_in(".", arguments)
    }

    /// The same, in a folder below.
    pub fn run_in(&self, below: &str, arguments: &str) -> Run {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("agent-contracts");
        command.args(arguments.split_whitespace()).current_dir(self.path(below)).env("COLUMNS", "100");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        let output = command.output().unwrap();
        Run {
            arguments: arguments.to_owned(),
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A run, printed as a terminal shows it.
pub struct Run {
    arguments: String,
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// How many findings are printed of each rule, as in `lime/secret-key lime/secret-value`.
    pub fn rules(&self) -> String {
        let titles = self.stdout.lines().filter(|line| line.contains("]: "));
        let rules = titles.filter_map(|line| line.split_once('[')?.1.split_once(']').map(|(rule, _)| rule));
        rules.collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.status.map_or("none".to_owned(), |status| status.to_string());
        writeln!(f, "$ agent-contracts {}\nexit status: {status}", self.arguments)?;
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
