//! How many instructions an event takes, counted by `perf` or else by `valgrind`.
//!
//! A bench runs itself with one pass over the stream and with two; the second pass is the difference. What is done
//! once, such as to compile a schema, does not count.

use std::process::{Command, Output, Stdio};

#[derive(Clone, Copy)]
pub enum Counter {
    Perf,
    Callgrind,
}

impl Counter {
    /// The one that works here.
    pub fn find() -> Option<Self> {
        let count = |counter: Self| counter.counted(&counter.command().arg("true").output().ok()?);
        [Self::Perf, Self::Callgrind].into_iter().find(|counter| count(*counter).is_some())
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Perf => "perf",
            Self::Callgrind => "callgrind",
        }
    }

    /// Of so many events that this program reads if it is given these arguments and a number of passes.
    pub fn per_event(self, arguments: &[&str], events: usize) -> Option<f64> {
        let program = std::env::current_exe().ok()?;
        // Both at once, since it is not time that is measured.
        let runs = ["1", "2"].map(|passes| {
            let mut run = self.command();
            run.arg(&program).args(arguments).arg(passes);
            run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
        });
        let [one, two] = runs.map(|run| self.counted(&run.ok()?.wait_with_output().ok()?));
        Some(two?.checked_sub(one?)? as f64 / events as f64)
    }

    /// What stands before the program that is counted.
    fn command(self) -> Command {
        let (program, arguments): (_, &[&str]) = match self {
            Self::Perf => ("perf", &["stat", "-x", ",", "-e", "instructions:u"]),
            Self::Callgrind => ("valgrind", &["--tool=callgrind", "--callgrind-out-file=/dev/null"]),
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }

    fn counted(self, output: &Output) -> Option<u64> {
        let report = String::from_utf8_lossy(&output.stderr);
        let count = report.lines().find_map(|line| match self {
            Self::Perf => line.split_once(",,instructions")?.0.parse().ok(),
            Self::Callgrind => line.split_once("Collected :")?.1.trim().parse().ok(),
        });
        count.filter(|_| output.status.success())
    }
}
