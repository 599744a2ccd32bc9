//! Peers in other languages: processes that read the events once more each time they are asked.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use agent_contracts::Protocol;

/// A peer that a script has.
pub struct Peer {
    pub name: &'static str,
    language: &'static Language,
    /// What the script calls it.
    called: &'static str,
    /// Reads no other protocol than AG-UI.
    agui: bool,
}

struct Language {
    name: &'static str,
    program: &'static str,
    /// The variable that names another program.
    variable: &'static str,
    script: &'static str,
}

static NODE: Language = Language { name: "Node", program: "node", variable: "NODE", script: "peers.mjs" };
static PYTHON: Language = Language { name: "Python", program: "python3", variable: "PYTHON", script: "peers.py" };

static PEERS: [Peer; 6] = [
    Peer { name: "Node, JSON.parse", language: &NODE, called: "parse", agui: false },
    Peer { name: "Node, ajv", language: &NODE, called: "ajv", agui: true },
    Peer { name: "Node, zod of @ag-ui/core", language: &NODE, called: "zod", agui: true },
    Peer { name: "Python, json", language: &PYTHON, called: "loads", agui: false },
    Peer { name: "Python, ag-ui-protocol", language: &PYTHON, called: "pydantic", agui: true },
    Peer { name: "Python, ag-ui-validate", language: &PYTHON, called: "validate", agui: true },
];

impl Peer {
    /// All that can read a protocol.
    pub fn all(protocol: &Protocol) -> impl Iterator<Item = &'static Self> {
        let agui = *protocol == Protocol::AGUI;
        PEERS.iter().filter(move |peer| agui || !peer.agui)
    }

    /// The versions of the languages that are there.
    pub fn versions() -> impl Iterator<Item = String> {
        [&NODE, &PYTHON].into_iter().filter_map(|language| {
            let output = Command::new(language.program()).arg("--version").output().ok()?;
            let version = String::from_utf8(output.stdout).ok()?;
            let number = version.trim().trim_start_matches(|letter: char| !letter.is_ascii_digit());
            Some(format!("{} {number}", language.name))
        })
    }
}

impl Language {
    fn program(&self) -> String {
        std::env::var(self.variable).unwrap_or_else(|_| self.program.to_owned())
    }
}

/// A script that runs.
pub struct Script {
    child: Child,
    asks: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Script {
    /// Starts a peer that reads the events of a file: a JSON list of their texts.
    ///
    /// # Errors
    /// Why the peer cannot run, for people.
    pub fn start(peer: &Peer, events: &Path) -> Result<Self, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(peer.language.script);
        let mut child = Command::new(peer.language.program())
            .arg(script)
            .arg(peer.called)
            .arg(events)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|_| format!("{} is not installed", peer.language.name))?;
        let asks = child.stdin.take().ok_or("it has no input")?;
        let answers = BufReader::new(child.stdout.take().ok_or("it has no output")?).lines();
        let mut script = Self { child, asks, answers };
        script.pass()?;
        Ok(script)
    }

    /// Has the events read once; gives the time, and how many of them were refused.
    ///
    /// # Errors
    /// What the script says instead.
    pub fn pass(&mut self) -> Result<(Duration, usize), String> {
        // A script that has stopped has said why, which is read below.
        let _ = self.asks.write_all(b"\n");
        let answer = self.answers.next().and_then(Result::ok).ok_or("it stopped")?;
        let numbers = answer.split_once(' ').and_then(|(seconds, refused)| {
            let seconds = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
            Some((seconds, refused.parse().ok()?))
        });
        numbers.ok_or(answer)
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
