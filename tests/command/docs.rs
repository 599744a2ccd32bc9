//! What the README, `docs/` and the page of the schemas show is real: commands are run and
//! print what is shown, examples in Rust are doctests.
//!
//! The commands of a page share a folder and run in its order. In what they print, `…` at the
//! end of a line stands for the rest of it and any further lines. A comment right above a
//! block says more:
//!
//! - `<!-- file: NAME -->`: it is the content of a file in the folder of the page
//! - `<!-- part of: NAME -->`: it is a part of a file there, or in the repository
//! - `<!-- status: 1 -->`: the exit status of its last command, which is 0 otherwise
//! - `<!-- serve: NAME -->`: what the server at 127.0.0.1:8000 answers
//! - `<!-- run: in the repository -->`: its commands are about the repository
//! - `<!-- run: skip because … -->`: it is not run, and why
#![cfg(all(feature = "net", unix))]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::{fs, thread};

use crate::common::{Failures, pages, repository};

/// The pages beside those below `docs/`.
const PAGES: [&str; 2] = ["README.md", "schemas/README.md"];

const MARKS: [&str; 5] = ["file", "part of", "status", "serve", "run"];

/// The server of the pages.
const SERVER: &str = "127.0.0.1:8000";

struct Block<'p> {
    line: usize,
    language: &'p str,
    marks: Vec<(&'p str, &'p str)>,
    text: String,
}

impl<'p> Block<'p> {
    fn all(page: &'p str) -> Vec<Self> {
        let (mut found, mut marks) = (Vec::new(), Vec::new());
        let mut lines = page.lines().zip(1..);
        while let Some((content, line)) = lines.next() {
            let mark = content.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")?.split_once(": "));
            if let Some(language) = content.strip_prefix("```") {
                let text = lines.by_ref().map(|(text, _)| text).take_while(|text| *text != "```");
                let text = text.map(|text| format!("{text}\n")).collect();
                found.push(Self { line, language, marks: std::mem::take(&mut marks), text });
            } else if let Some(mark) = mark {
                marks.push(mark);
            } else {
                marks.clear();
            }
        }
        found
    }

    fn mark(&self, name: &str) -> Option<&'p str> {
        self.marks.iter().find(|(mark, _)| *mark == name).map(|(_, value)| *value)
    }

    /// The commands, each with what is shown below it.
    fn commands(&self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        for line in self.text.split_inclusive('\n') {
            if let Some(command) = line.strip_prefix("$ ") {
                found.push((command.to_owned(), String::new()));
            } else if let Some((command, shown)) = found.last_mut() {
                let continued = if command.ends_with("\\\n") { command } else { shown };
                continued.push_str(line);
            }
        }
        found
    }

    /// Holds the block against what is; says what does not hold.
    fn check(&self, folder: &Path) -> Result<(), String> {
        let run = self.mark("run");
        let is_odd = |run: &str| run != "in the repository" && !run.starts_with("skip because ");
        if self.marks.iter().any(|(mark, _)| !MARKS.contains(mark)) || run.is_some_and(is_odd) {
            return Err(format!("there is no such mark: {:?}", self.marks));
        }
        if self.language == "rust" || run.is_some_and(|run| run.starts_with("skip")) {
            return Ok(());
        }
        if let Some(file) = self.mark("file").map(|file| folder.join(file)) {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, &self.text).unwrap();
            return Ok(());
        }
        if let Some(file) = self.mark("part of") {
            let is_part = String::from_utf8_lossy(&content(folder, file)).contains(&self.text);
            return if is_part { Ok(()) } else { Err(format!("this is no part of {file}")) };
        }
        let commands = self.commands();
        if self.language != "console" || commands.is_empty() {
            return Err("nothing says what this is, or why it is not run".to_owned());
        }
        let server = self.mark("serve").map(|file| serve(content(folder, file)).to_string());
        let server = server.as_deref().unwrap_or(SERVER);
        let folder = run.map_or(folder, |_| repository());
        for (number, (command, shown)) in commands.iter().enumerate() {
            let (real, status) = execute(&command.replace(SERVER, server), folder);
            let real = real.replace(server, SERVER);
            let expected = self.mark("status").filter(|_| number + 1 == commands.len()).unwrap_or("0");
            if status != expected || !is_shown(&timeless(shown), &timeless(&real)) {
                let shown = format!("--- shown, status {expected}\n{shown}");
                return Err(format!("$ {command}{shown}--- real, status {status}\n{real}"));
            }
        }
        Ok(())
    }
}

/// A file of the page, or else of the repository.
fn content(folder: &Path, file: &str) -> Vec<u8> {
    let own = folder.join(file);
    let path = if own.is_file() { own } else { repository().join(file) };
    fs::read(&path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// What a command prints, in the order in which it does, and its status.
fn execute(command: &str, folder: &Path) -> (String, String) {
    let command = command.replace("cargo contracts", "agent-contracts");
    let binary = Path::new(env!("CARGO_BIN_EXE_agent-contracts")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}}} 2>&1")]).current_dir(folder).env("PATH", path).env("COLUMNS", "100");
    for name in ["ALL_PROXY", "HTTP_PROXY", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "GITHUB_STEP_SUMMARY"] {
        shell.env_remove(name).env_remove(name.to_lowercase());
    }
    let output = shell.output().unwrap();
    let status = output.status.code().map_or("none".to_owned(), |status| status.to_string());
    (String::from_utf8(output.stdout).unwrap(), status)
}

fn is_shown(shown: &str, real: &str) -> bool {
    let Some((first, rest)) = shown.split_once("…\n") else { return shown == real };
    let Some(mut real) = real.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split("…\n").collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, behind)) = real.split_once(part) else { return false };
        real = behind;
    }
    real.ends_with(last)
}

/// The output without how long a recording took.
fn timeless(output: &str) -> String {
    let without = |line: &str| {
        let (bytes, rest) = line.strip_prefix("recorded ")?.split_once(" in ")?;
        Some(format!("recorded {bytes} {}", rest.split_once(" s ")?.1))
    };
    output.split_inclusive('\n').map(|line| without(line).unwrap_or_else(|| line.to_owned())).collect()
}

/// A server that answers each request with an event stream.
fn serve(body: Vec<u8>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let mut request = BufReader::new(&client);
            let head = request.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            let length = |line: String| line.to_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok();
            let length: usize = head.filter_map(length).sum();
            request.read_exact(&mut vec![0; length]).unwrap();
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n", body.len());
            (&client).write_all(&[head.as_bytes(), &body].concat()).unwrap();
        }
    });
    address
}

#[test]
fn what_is_shown_is_real() {
    let mut failures = Failures::default();
    for (page, text) in pages(&PAGES) {
        let folder = tempfile::tempdir().unwrap();
        for block in Block::all(&text) {
            let result = block.check(folder.path());
            failures.check(result.is_ok(), || format!("{page}:{}: {}", block.line, result.unwrap_err()));
        }
    }
    failures.finish(50);
}

#[test]
fn examples_in_rust_are_doctests() {
    let included = fs::read_to_string(repository().join("src/lib.rs")).unwrap();
    for (page, text) in pages(&PAGES).into_iter().filter(|(_, text)| text.contains("\n```rust")) {
        assert!(included.contains(&format!("include_str!(\"../{page}\")")), "src/lib.rs does not include {page}");
        assert!(!text.contains("\n```rust,"), "{page} has an example that is not run as it stands");
    }
}
