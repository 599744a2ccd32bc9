//! `record` against a server on this machine that plays a script.
#![cfg(feature = "net")]

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::common::command::{Run, Scene};
use crate::common::port::silent;
use flate2::Compression;
use flate2::write::GzEncoder;
use insta::assert_snapshot;
use serde_json::Value;

const STARTED: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"thread_1\",\"runId\":\"run_1\"}\n\n";
const OPENED: &str = "data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"msg_1\"}\n\n";
const CLOSED: &str = "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"msg_1\"}\n\n";
const FINISHED: &str = "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"thread_1\",\"runId\":\"run_1\"}\n\n";

/// What the command knows and nobody else may see.
const TOKEN: &str = "placeholder-credential";

/// What the server does.
enum Act {
    Send(Vec<u8>),
    Pause(u64),
    /// Waits until the client has gone.
    Hold,
}

fn send(bytes: impl AsRef<[u8]>) -> Act {
    Act::Send(bytes.as_ref().to_vec())
}

/// The beginning of an answer whose body is in chunks.
fn head(status: &str, content_type: &str, rest: &str) -> Act {
    send(format!("HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\n{rest}\r\n"))
}

fn stream() -> Act {
    head("200 OK", "text/event-stream", "")
}

fn chunk(bytes: impl AsRef<[u8]>) -> Act {
    let bytes = bytes.as_ref();
    send([format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat())
}

fn end() -> Act {
    send("0\r\n\r\n")
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

/// A server that plays one script for each connection; in the end, what it was asked.
struct Server {
    address: SocketAddr,
    asked: JoinHandle<Vec<String>>,
}

impl Server {
    fn of(scripts: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = move || scripts.into_iter().map(|script| play(&listener, script)).collect();
        Self { address, asked: thread::spawn(asked) }
    }

    /// A server that does not listen before so many milliseconds have passed.
    fn late(milliseconds: u64, script: Vec<Act>) -> Self {
        let (socket, address) = silent();
        let asked = move || {
            thread::sleep(Duration::from_millis(milliseconds));
            socket.listen(1).unwrap();
            vec![play(&socket.into(), script)]
        };
        Self { address, asked: thread::spawn(asked) }
    }

    fn url(&self) -> String {
        format!("http://{}/agent", self.address)
    }

    fn asked(self) -> Vec<String> {
        self.asked.join().unwrap()
    }
}

/// Plays a script for the next connection; what was asked.
fn play(listener: &TcpListener, script: Vec<Act>) -> String {
    let (mut client, _) = listener.accept().unwrap();
    let request = read_request(&mut client);
    for act in script {
        match act {
            // The client may have had enough.
            Act::Send(bytes) => drop(client.write_all(&bytes)),
            Act::Pause(milliseconds) => thread::sleep(Duration::from_millis(milliseconds)),
            Act::Hold => drop(client.read_to_end(&mut Vec::new())),
        }
    }
    request
}

/// Head and body of a request.
fn read_request(client: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        client.read_exact(&mut byte).unwrap();
        request.push(byte[0]);
    }
    let head = String::from_utf8(request).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    client.read_exact(&mut body).unwrap();
    head + std::str::from_utf8(&body).unwrap()
}

/// The command, which knows a credential.
fn command(scene: &Scene, arguments: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_agent-contracts"));
    command.arg("record").args(arguments).current_dir(scene.root()).env("SECRET", format!("Bearer {TOKEN}"));
    for name in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command
}

fn run(scene: &Scene, arguments: &[&str]) -> Run {
    Run::ended(arguments, command(scene, arguments).output().unwrap())
}

/// Records to `run.sse`, with a credential in a header. No test that does not ask for it
/// depends on how fast this machine is.
fn record(scene: &Scene, server: &Server, arguments: &[&str]) -> Run {
    let url = server.url();
    let mut all = vec![url.as_str(), "-o", "run.sse", "--header-env", "Authorization=SECRET"];
    all.extend(["--buffered", "1h"].iter().filter(|_| !arguments.contains(&"--buffered")));
    all.extend(arguments);
    run(scene, &all)
}

/// The names of all files in the folder.
fn names(scene: &Scene) -> BTreeSet<String> {
    let entries = std::fs::read_dir(scene.root()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The rules of the findings in a report.
fn rules_of(run: &Run) -> Vec<String> {
    let report = run.json();
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

struct Case {
    name: &'static str,
    script: Vec<Act>,
    arguments: &'static [&'static str],
    rules: &'static [&'static str],
    status: i32,
    /// What is in the file.
    recorded: Vec<u8>,
}

/// No request goes past a proxy that cannot be used.
#[test]
fn proxies_that_are_no_http_proxy() {
    let scene = Scene::empty();
    for (name, value, no_proxy, is_refused) in [
        ("ALL_PROXY", "socks5://127.0.0.1:1", "", true),
        ("all_proxy", "socks4://127.0.0.1:1", "", true),
        ("HTTP_PROXY", "http://", "", true),
        ("HTTPS_PROXY", "ftp://127.0.0.1:1", "", true),
        ("ALL_PROXY", "socks5://127.0.0.1:1", "127.0.0.1", false),
        ("ALL_PROXY", "", "", false),
        ("HTTP_PROXY", "http://127.0.0.1:1", "", false),
    ] {
        // Nobody listens at this port, nor does a proxy.
        let mut command = command(&scene, &["http://127.0.0.1:1/run"]);
        let run = Run::ended(&[name, value], command.env(name, value).env("NO_PROXY", no_proxy).output().unwrap());
        assert_eq!(run.status, Some(2), "{run}");
        let said = format!("error: {name} is not the URL of an HTTP proxy");
        assert_eq!(run.stderr.starts_with(&said), is_refused, "{run}");
        assert!(is_refused || run.stderr.contains("the connection failed"), "{run}");
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn what_is_recorded_and_found() {
    let whole = [STARTED, OPENED, CLOSED, FINISHED].concat();
    let events = |text: &str| text.replace("data: ", "").replace("\n\n", "\n");
    let half = &FINISHED[..30];
    // The last eight bytes are the checksum and the length.
    let (mut damaged, mut shortened) = (gzip(&whole), gzip(&whole));
    let checksum = damaged.len() - 8;
    damaged[checksum] ^= 1;
    shortened.truncate(checksum);
    let cases = [
        Case {
            name: "a good stream",
            script: vec![
                stream(),
                chunk(STARTED),
                Act::Pause(20),
                chunk(OPENED),
                chunk(CLOSED),
                chunk(FINISHED),
                end(),
            ],
            arguments: &[],
            rules: &[],
            status: 0,
            recorded: whole.clone().into(),
        },
        Case {
            name: "frames that chunks cut anywhere",
            script: [stream()].into_iter().chain(whole.as_bytes().chunks(7).map(chunk)).chain([end()]).collect(),
            arguments: &[],
            rules: &[],
            status: 0,
            recorded: whole.clone().into(),
        },
        Case {
            name: "a body that ends with its connection",
            script: vec![send("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"), send(&whole)],
            arguments: &[],
            rules: &[],
            status: 0,
            recorded: whole.clone().into(),
        },
        Case {
            name: "JSON lines",
            script: vec![head("200 OK", "application/x-ndjson", ""), chunk(events(&whole)), end()],
            arguments: &[],
            rules: &[],
            status: 0,
            recorded: events(&whole).into(),
        },
        Case {
            name: "a message that was never opened",
            script: vec![stream(), chunk(STARTED), chunk(CLOSED), chunk(FINISHED), end()],
            arguments: &[],
            rules: &["agui/text-end-without-start"],
            status: 1,
            recorded: [STARTED, CLOSED, FINISHED].concat().into(),
        },
        Case {
            name: "all at once after a wait",
            script: vec![stream(), Act::Pause(200), chunk(&whole), end()],
            arguments: &["--buffered", "100ms"],
            rules: &["http/buffered"],
            status: 0,
            recorded: whole.clone().into(),
        },
        Case {
            name: "a silence",
            script: vec![stream(), chunk(STARTED), Act::Pause(250), chunk(FINISHED), end()],
            arguments: &["--keep-alive", "100ms", "--fail-on", "warning"],
            rules: &["http/no-keep-alive"],
            status: 1,
            recorded: [STARTED, FINISHED].concat().into(),
        },
        Case {
            name: "cut in the middle of a chunk",
            script: vec![stream(), chunk(STARTED), send(format!("{:x}\r\n{half}", FINISHED.len()))],
            arguments: &[],
            rules: &["http/cut"],
            status: 1,
            recorded: [STARTED, half].concat().into(),
        },
        Case {
            name: "cut before its length",
            script: vec![
                send("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 4000\r\n\r\n"),
                send(STARTED),
            ],
            arguments: &[],
            rules: &["http/cut"],
            status: 1,
            recorded: STARTED.into(),
        },
        Case {
            name: "a wrong content type",
            script: vec![head("200 OK", "text/html; charset=utf-8", ""), chunk(&whole), end()],
            arguments: &[],
            rules: &["http/content-type"],
            status: 1,
            recorded: whole.clone().into(),
        },
        Case {
            name: "a page instead of a stream",
            script: vec![head("200 OK", "text/html", ""), chunk("<!doctype html>\n<p>Sign in"), end()],
            arguments: &[],
            rules: &["http/content-type"],
            status: 1,
            recorded: "<!doctype html>\n<p>Sign in".into(),
        },
        Case {
            name: "a stream of no known protocol",
            script: vec![stream(), chunk("data: {\"tick\":1}\n\n"), end()],
            arguments: &[],
            rules: &["input/unrecognised"],
            status: 1,
            recorded: "data: {\"tick\":1}\n\n".into(),
        },
        Case {
            name: "nothing at all",
            script: vec![send("HTTP/1.1 204 No Content\r\n\r\n")],
            arguments: &[],
            rules: &["input/empty"],
            status: 0,
            recorded: Vec::new(),
        },
        Case {
            name: "comments, and nothing else",
            script: vec![stream(), chunk(": ping\n\n"), chunk(": ping\r\n\r\n"), end()],
            arguments: &[],
            rules: &["input/empty"],
            status: 0,
            recorded: ": ping\n\n: ping\r\n\r\n".into(),
        },
        Case {
            name: "packed by gzip",
            script: vec![head("200 OK", "text/event-stream", "content-encoding: gzip\r\n"), chunk(gzip(&whole)), end()],
            arguments: &[],
            rules: &["http/compressed"],
            status: 0,
            recorded: gzip(&whole),
        },
        Case {
            name: "packed by gzip, with a wrong checksum",
            script: vec![head("200 OK", "text/event-stream", "content-encoding: gzip\r\n"), chunk(&damaged), end()],
            arguments: &[],
            rules: &["http/compressed"],
            status: 1,
            recorded: damaged.clone(),
        },
        Case {
            name: "packed by gzip, without the end",
            script: vec![head("200 OK", "text/event-stream", "content-encoding: gzip\r\n"), chunk(&shortened), end()],
            arguments: &[],
            rules: &["http/compressed"],
            status: 1,
            recorded: shortened.clone(),
        },
        Case {
            name: "packed in a way that is not known here",
            script: vec![
                head("200 OK", "text/event-stream", "content-encoding: br\r\n"),
                chunk([11_u8, 2, 128]),
                end(),
            ],
            arguments: &[],
            rules: &["http/compressed"],
            status: 1,
            recorded: vec![11, 2, 128],
        },
        Case {
            name: "a credential that comes back",
            script: vec![
                stream(),
                chunk(STARTED),
                chunk(format!(": {}", &TOKEN[..9])),
                chunk(format!("{}\n\n", &TOKEN[9..])),
                chunk(FINISHED),
                end(),
            ],
            arguments: &[],
            rules: &["http/secret-echoed"],
            status: 1,
            recorded: format!("{STARTED}: {}\n\n{FINISHED}", "*".repeat(TOKEN.len())).into(),
        },
        Case {
            name: "a stream without an end",
            script: vec![stream(), chunk(STARTED), Act::Hold],
            arguments: &["--max-time", "1s"],
            rules: &["http/not-ended"],
            status: 1,
            recorded: STARTED.into(),
        },
        Case {
            name: "a run that ends on a connection that does not",
            script: vec![stream(), chunk(&whole), Act::Hold],
            arguments: &["--max-time", "1s"],
            rules: &[],
            status: 0,
            recorded: whole.clone().into(),
        },
        Case {
            name: "more than is wanted",
            script: vec![stream(), chunk(&whole), chunk(&whole), end()],
            arguments: &["--max-bytes", "100B"],
            rules: &[],
            status: 0,
            recorded: whole.as_bytes()[..100].to_vec(),
        },
        Case {
            name: "as much as is wanted, and complete, so an open run is reported",
            script: vec![stream(), chunk(STARTED), end()],
            arguments: &["--max-bytes", "68B"],
            rules: &["agui/truncated-stream"],
            status: 1,
            recorded: STARTED.into(),
        },
        Case {
            name: "the protocol by hand",
            script: vec![stream(), chunk("data: {\"tick\":1}\n\n"), end()],
            arguments: &["--protocol", "agui"],
            rules: &["agui/type-missing"],
            status: 1,
            recorded: "data: {\"tick\":1}\n\n".into(),
        },
    ];
    let mut failures = crate::common::Failures::default();
    let count = cases.len();
    for Case { name, script, arguments, rules, status, recorded } in cases {
        let (scene, server) = (Scene::empty(), Server::of(vec![script]));
        let arguments: Vec<&str> = ["--format", "json"].iter().chain(arguments).copied().collect();
        let run = record(&scene, &server, &arguments);
        let (found, file) = (rules_of(&run), scene.bytes("run.sse"));
        failures.check(found == rules && run.status == Some(status) && file == recorded, || {
            let file = String::from_utf8_lossy(&file);
            format!("{name}: {found:?}, status {:?}, {}, recorded {file}", run.status, run.stderr)
        });
        let times = scene.read("run.sse.times.jsonl");
        let shown = [run.stdout, run.stderr, times, String::from_utf8_lossy(&file).into_owned()].concat();
        failures.check(!shown.contains(TOKEN), || format!("{name}: the credential is shown: {shown}"));
        server.asked();
    }
    failures.finish(2 * count);
}

#[test]
fn help() {
    assert_snapshot!(Scene::empty().run(&["record", "--help"]).stdout);
}

#[test]
fn a_failure_is_shown_without_its_values() {
    let body = "{\"error\":{\"code\":\"boom\",\"detail\":\"the key is hunter2\"}}";
    let server = Server::of(vec![vec![head("500 Oops", "application/json", ""), chunk(body), end()]]);
    let run = record(&Scene::empty(), &server, &[]);
    assert_snapshot!(run.stdout);
    assert!(!run.stderr.contains("hunter2"), "{}", run.stderr);
}

#[test]
fn each_piece_has_its_time() {
    let server = Server::of(vec![vec![stream(), chunk(STARTED), Act::Pause(60), chunk(FINISHED), end()]]);
    let scene = Scene::empty();
    record(&scene, &server, &[]);
    let times = scene.read("run.sse.times.jsonl");
    let rows: Vec<Value> = times.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let column = |name: &str| rows.iter().map(|row| row[name].as_u64().unwrap()).collect::<Vec<_>>();
    let second = STARTED.len() as u64;
    assert_eq!(column("byte"), [0, second, second + FINISHED.len() as u64]);
    assert!(column("ms").is_sorted() && column("ms")[1] >= 60, "{times}");
    assert_eq!((&rows[1]["end"], &rows[2]["end"]), (&Value::Null, &Value::from("complete")));

    // A check passes over them, and says so.
    let report = scene.run(&["check", "--format", "json", "."]).json();
    assert_eq!(report["files"].as_array().unwrap().len(), 1);
    assert_eq!(report["skipped"][0]["file"], "run.sse.times.jsonl");
}

#[test]
fn what_is_sent() {
    let answer = || vec![stream(), chunk(STARTED), chunk(FINISHED), end()];
    let input = "{\"threadId\":\"thread_1\"}";
    for (arguments, line, has, has_not) in [
        (&[][..], "GET /agent HTTP/1.1", &["authorization: Bearer placeholder-credential"][..], &["content-type"][..]),
        (
            &["--input", "run.json", "--header", "X-Tenant:  acme "],
            "POST /agent HTTP/1.1",
            &[
                "content-type: application/json",
                "x-tenant: acme",
                "accept-encoding: identity",
                "content-length: 23",
                input,
            ],
            &[],
        ),
        (
            &["--ask", "Find \"total\""],
            "POST /agent HTTP/1.1",
            &["content-type: application/json", "\"role\":\"user\"", "\"content\":\"Find \\\"total\\\"\""],
            &[],
        ),
        (
            &["--input", "run.json", "--method", "PUT", "--header", "content-type: text/plain"],
            "PUT /agent HTTP/1.1",
            &["content-type: text/plain"],
            &["content-type: application/json"],
        ),
    ] {
        let server = Server::of(vec![answer()]);
        let run = record(&Scene::empty().with("run.json", input), &server, arguments);
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        let asked = server.asked().concat();
        assert!(asked.starts_with(line), "{asked}");
        assert!(has.iter().all(|text| asked.contains(text)), "{asked}");
        assert!(!has_not.iter().any(|text| asked.contains(text)), "{asked}");
    }
}

/// Who is asked is an AG-UI agent, so an answer without events is none. Whatever is asked, no answer is an error.
#[test]
fn what_an_agent_answers_that_is_asked() {
    let ask = &["--ask", "hi"][..];
    for (script, arguments, rules, status) in [
        (vec![stream(), end()], ask, &["agui/empty-stream"][..], 1),
        (vec![send("HTTP/1.1 204 No Content\r\n\r\n")], ask, &["agui/empty-stream"], 1),
        (vec![stream(), chunk(": ping\n\n"), end()], ask, &["agui/empty-stream"], 1),
        (vec![stream(), chunk("data: {\"tick\":1}\n\n"), end()], ask, &["agui/type-missing"], 1),
        (vec![stream(), end()], &["--ask", "hi", "--protocol", "auto"], &["input/empty"], 1),
        (vec![stream(), end()], &["--protocol", "auto"], &["input/empty"], 0),
        (
            vec![head("200 OK", "text/html", ""), chunk("<!doctype html>\n<p>Sign in"), end()],
            ask,
            &["http/content-type"],
            1,
        ),
    ] {
        let server = Server::of(vec![script]);
        let run = record(&Scene::empty(), &server, &[&["--format", "json"][..], arguments].concat());
        assert_eq!(run.status, Some(status), "{run}");
        assert_eq!(rules_of(&run), rules, "{run}");
    }
}

#[test]
fn redirects_take_the_headers_along_on_one_server_only() {
    let answer = || vec![stream(), chunk(STARTED), chunk(FINISHED), end()];
    // The connection is closed behind the answer, which does not say so.
    let moved = |status: &str, to: &str| {
        vec![send(format!("HTTP/1.1 {status}\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"))]
    };
    let is_told = |request: &str| request.contains(TOKEN);

    let server = Server::of(vec![moved("307 Temporary Redirect", "/other?key=hunter2"), answer()]);
    let scene = Scene::empty().with("run.json", "{}");
    let run = record(&scene, &server, &["--input", "run.json"]);
    assert!(run.stderr.contains("/other\n") && !run.stderr.contains("hunter2"), "{}", run.stderr);
    let asked = server.asked();
    assert!(asked[1].starts_with("POST /other?key=hunter2 HTTP/1.1") && asked[1].ends_with("{}"), "{}", asked[1]);
    assert!(is_told(&asked[0]) && is_told(&asked[1]));

    let other = Server::of(vec![answer()]);
    let server = Server::of(vec![moved("302 Found", &other.url())]);
    let run = record(&scene, &server, &["--input", "run.json"]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("by a status that makes POST a GET request without a body"), "{}", run.stderr);
    let asked = (server.asked().concat(), other.asked().concat());
    assert!(asked.1.starts_with("GET /agent HTTP/1.1"), "{}", asked.1);
    assert!(is_told(&asked.0) && !is_told(&asked.1));
}

#[test]
fn a_recording_is_checked_as_the_configuration_says() {
    let lime = "[[files]]\nglob = \"run.*\"\nprotocol = \"lime\"\n";
    for (name, arguments, status) in [
        ("contracts.toml", &[][..], 1),
        ("contracts.toml", &["--no-config"], 0),
        ("contracts.toml", &["--protocol", "agui"], 0),
        ("other.toml", &[], 0),
        ("other.toml", &["--config", "other.toml"], 1),
        ("other.toml", &["--config", "nowhere.toml"], 2),
    ] {
        let server = Server::of(vec![vec![stream(), chunk(STARTED), chunk(FINISHED), end()]]);
        let run = record(&Scene::empty().with(name, lime), &server, arguments);
        assert_eq!(run.status, Some(status), "{name}, {arguments:?}: {}", run.stderr);
    }
}

#[test]
fn answers_that_lead_to_none() {
    let moved = |to: &str| {
        let head = format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\n");
        vec![send(head + "content-length: 0\r\nconnection: close\r\n\r\n")]
    };
    let many: String = (0..2000).map(|number| format!("x-{number}: y\r\n")).collect();
    let long = format!("x: {}\r\n", "y".repeat(100_000));
    for (scripts, said) in [
        ((0..11).map(|_| moved("/agent")).collect::<Vec<_>>(), "there are more than 10 redirects"),
        (vec![moved("../other?key=hunter2"), Vec::new()], "/other: the server closed the connection without an answer"),
        (vec![vec![head("200 OK", "text/event-stream", &many)]], "too many headers"),
        (vec![vec![head("200 OK", "text/event-stream", &long)]], "the headers of the answer are longer than"),
    ] {
        let run = record(&Scene::empty(), &Server::of(scripts), &["--format", "json"]);
        assert!(run.status == Some(2) && run.stderr.contains(said), "{said}: {}", run.stderr);
        assert!(!run.stderr.contains("hunter2"), "{}", run.stderr);
        let failed = &run.json()["failed"][0];
        assert!(failed["reason"].as_str().is_some_and(|why| why.contains(said)) && failed["file"].is_string(), "{run}");
    }
}

#[test]
fn a_server_that_comes_late_is_waited_for() {
    let answer = || vec![stream(), chunk(STARTED), chunk(FINISHED), end()];
    let run = record(&Scene::empty(), &Server::late(1500, answer()), &["--wait", "1m", "--keep-alive", "1s"]);
    // The wait is none on the connection.
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);

    let (_held, nobody) = silent();
    let run = Scene::empty().run(&["record", &format!("http://{nobody}/"), "--wait", "200ms"]);
    assert!(run.status == Some(2) && run.stderr.contains("did not come up within --wait"), "{}", run.stderr);
}

#[test]
fn what_to_do_about_a_status() {
    for (status, arguments, help) in [
        ("401 Unauthorized", &[][..], "with --header-env"),
        ("404 Not Found", &[], "look at the path of the URL"),
        ("405 Method Not Allowed", &[], "with --input or --ask: without them this is a GET request"),
        ("422 Unprocessable Content", &["--ask", "x"], "the body of the answer says what is wrong with it"),
        ("405 Method Not Allowed", &["--ask", "x"], "look at what the server logged"),
        ("502 Bad Gateway", &[], "look at what the server logged"),
    ] {
        let server = Server::of(vec![vec![head(status, "application/json", ""), chunk("{}"), end()]]);
        let run = record(&Scene::empty(), &server, arguments);
        assert!(run.status == Some(1) && run.stdout.contains(help), "{status} {arguments:?}: {}", run.stdout);
    }
}

#[test]
fn what_cannot_be_recorded() {
    let (_held, nobody) = silent();
    let gone = &*format!("http://ada:hunter2@{nobody}/agent?key=hunter2");
    for (arguments, said) in [
        (&[gone][..], "/agent: the connection failed"),
        (&["localhost:8000/hunter2"], "write the whole URL"),
        (&["http://localhost:99999/hunter2"], "a port up to 65535"),
        (&["http://localhost:hunter2/"], "a port up to 65535"),
        (&[gone, "--header", "hunter2"], "--header: write `Name: value`"),
        (&[gone, "--header", "Authorization: hunter2\nx: y"], "characters that headers cannot have"),
        (&[gone, "--header", "Content-Length: 5"], "is set by the client"),
        (&[gone, "--header-env", "Authorization=NOT_THERE"], "the environment variable for Authorization is not set"),
        (&[gone, "--header-env", "Authorization=Bearer hunter2"], "write the name of an environment variable"),
        (&[gone, "--header-env", "Authorization=2-hunter2"], "write the name of an environment variable"),
        (&[gone, "--header-env", "Authorization="], "write the name of an environment variable"),
        (&[gone, "--input", "nowhere.json"], "nowhere.json: cannot be read"),
        (&[gone, "--input", "run.json", "--ask", "hunter2"], "cannot be used with"),
        (&[gone, "--ask", "hunter2", "--protocol", "lime"], "a request in lime needs more than a question"),
        (&[gone, "--report", "sarif"], "write a format and a file"),
        (&[gone, "--report", "hunter=2"], "write one of human"),
        (&[gone, "-o", "x.sse", "--report", "sarif=./x.sse"], "is read or written by this command already"),
        (&[gone, "--report", "sarif=y", "--report", "junit=y"], "is read or written by this command already"),
        (&[gone, "--input", "broken.json"], "broken.json: is not JSON: line 1, column 2"),
        (&[gone, "--input", "run.json", "-o", "run.json"], "written over a file that is read"),
        (&[gone, "--input", "x.times.jsonl", "-o", "x"], "written over a file that is read"),
        (&[gone, "--input", "x.failed", "-o", "x"], "written over a file that is read"),
        (&[gone, "--input", "run.json", "--output-file", "./run.json"], "is read or written by this command already"),
        (&[gone, "-o", "x.sse", "--output-file", "x.sse"], "is read or written by this command already"),
        (&[gone, "-o", "x.sse", "--output-file", "x.sse.times.jsonl"], "is read or written by this command already"),
        (&[gone, "-o", "x.sse", "--output-file", "x.sse.failed"], "is read or written by this command already"),
        (&[gone, "-o", ""], "the path is empty"),
        (&[gone, "-o", "-"], "-o -: the recording is not written to standard output"),
        (&[gone, "-o", "no/such/folder/run.sse"], "cannot be written"),
        (&[gone, "--ca-file", "run.json"], "has no certificate"),
        (&[gone, "--max-bytes", "0B"], "nothing would be recorded"),
        (&[gone, "--max-time", "fast"], "write a whole number and ms, s, m or h"),
    ] {
        let scene = Scene::empty()
            .with("run.json", "{}")
            .with("broken.json", "{hunter2")
            .with("x.times.jsonl", "{}")
            .with("x.failed", "{}");
        let before = names(&scene);
        let run = run(&scene, arguments);
        assert!(run.status == Some(2) && run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("hunter2"), "{}", run.stderr);
        assert_eq!(names(&scene), before, "{arguments:?} leaves nothing behind");
    }
}

#[test]
fn credentials_of_the_url_are_masked() {
    let forms = ["placeholder%2Dpassword", "placeholder-password", "YWRhOnBsYWNlaG9sZGVyJTJEcGFzc3dvcmQ"];
    for form in forms.into_iter().chain(["placeholder-api-key"]) {
        let comment = format!(": {form}\n\n");
        let server = Server::of(vec![vec![stream(), chunk(STARTED), chunk(&comment), chunk(FINISHED), end()]]);
        let url = format!("http://ada:{}@{}/agent?api_key=placeholder-api-key", forms[0], server.address);
        let scene = Scene::empty();
        let run = run(&scene, &[&url, "-o", "run.sse", "--format", "json", "--buffered", "1h"]);
        assert_eq!((run.status, rules_of(&run)), (Some(1), vec!["http/secret-echoed".to_owned()]), "{form}");
        assert!(!scene.read("run.sse").contains(form), "{form}");
    }
}

/// Whatever a header is called, its value is not written.
#[test]
fn values_of_headers_are_masked() {
    for (header, repeated, severity) in [
        ("X-Api-Key: placeholder-key-1", "placeholder-key-1", Some("error")),
        ("Cookie: a=b; session=placeholder-session", "placeholder-session", Some("error")),
        ("X-Auth: placeholder-credit", "placeholder-credit", Some("warning")),
        ("X-Tenant:  tenant-of-acme ", "tenant-of-acme", Some("warning")),
        ("X-Short: eleven-byte", "eleven-byte", None),
        ("Accept: application/x-ndjson", "application/x-ndjson", None),
        ("Accept-Language: placeholder-language", "placeholder-language", None),
        ("Accept-Token: placeholder-token", "placeholder-token", Some("error")),
        ("Content-Type: application/json", "application/json", None),
    ] {
        let comment = format!(": {repeated}\n\n");
        let server = Server::of(vec![vec![stream(), chunk(STARTED), chunk(&comment), chunk(FINISHED), end()]]);
        let scene = Scene::empty();
        let run = record(&scene, &server, &["--format", "json", "--header", header]);
        let report = run.json();
        let found = &report["findings"][0];
        assert_eq!(
            (found["severity"].as_str(), found["rule"].as_str()),
            (severity, severity.map(|_| "http/secret-echoed")),
            "{run}"
        );
        assert_eq!(run.status, Some(i32::from(severity == Some("error"))), "{run}");
        let mask = severity.map_or_else(|| repeated.to_owned(), |_| "*".repeat(repeated.len()));
        assert_eq!(scene.read("run.sse"), format!("{STARTED}: {mask}\n\n{FINISHED}"), "{header}");
    }
}

/// An answer has headers as well.
#[test]
fn values_that_headers_of_the_answer_repeat_are_masked() {
    let answer = |header: &str| {
        let answer = format!("HTTP/1.1 200 OK\r\n{header}\r\nconnection: close\r\n\r\n{STARTED}{FINISHED}");
        vec![send(answer)]
    };
    let moved = |to: &str| {
        vec![send(format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"))]
    };
    for (scripts, status) in [
        (vec![answer(&format!("content-type: {TOKEN}/x"))], Some(1)),
        (vec![answer(&format!("content-type: text/event-stream\r\ncontent-encoding: {TOKEN}"))], Some(1)),
        (vec![moved(&format!("/{TOKEN}/x")), answer("content-type: text/event-stream")], Some(1)),
        (vec![moved(&format!("http://{TOKEN}.invalid/x"))], Some(2)),
    ] {
        let run = record(&Scene::empty(), &Server::of(scripts), &["--format", "json"]);
        let shown = (run.stdout.clone() + &run.stderr).to_lowercase();
        assert!(!shown.contains(&TOKEN.to_lowercase()), "{run}");
        assert_eq!(run.status, status, "{run}");
        assert!(status == Some(2) || rules_of(&run).contains(&"http/secret-echoed".to_owned()), "{run}");
    }
}

/// What of a value has come when the recording ends is masked as well.
#[test]
fn values_that_are_cut_off_are_masked() {
    let begun = format!("data: {{\"type\":\"{}", &TOKEN[..15]);
    let masked = begun.replace(&TOKEN[..15], &"*".repeat(15));
    let room = format!("{}B", STARTED.len() + begun.len());
    for (script, arguments) in [
        (
            vec![stream(), chunk(STARTED), chunk(format!("{begun}{}", &TOKEN[15..])), end()],
            &["--max-bytes", &*room][..],
        ),
        (vec![stream(), chunk(STARTED), send(format!("ff\r\n{begun}"))], &[]),
    ] {
        let scene = Scene::empty();
        let run = record(&scene, &Server::of(vec![script]), &[&["--format", "json"][..], arguments].concat());
        assert!(rules_of(&run).contains(&"http/secret-echoed".to_owned()), "{run}");
        assert_eq!(scene.read("run.sse"), format!("{STARTED}{masked}"), "{run}");
    }
}

/// A failure never takes the place of a recording.
#[test]
fn a_failure_is_recorded_beside_the_file() {
    let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
    let failure = format!("{{\"error\":\"no such token: {token}, nor {TOKEN}\"}}");
    let masked = failure.replace(TOKEN, &"*".repeat(TOKEN.len()));
    let recorded = || Scene::empty().with("run.sse", STARTED).with("run.sse.times.jsonl", "{}\n");
    for (status, scene, left) in [
        ("500 Internal Server Error", recorded(), &["run.sse", "run.sse.failed", "run.sse.times.jsonl"][..]),
        (
            "401 Unauthorized",
            recorded().with("run.sse.failed", "an earlier and longer one".repeat(9)),
            &["run.sse", "run.sse.failed", "run.sse.times.jsonl"],
        ),
        ("404 Not Found", Scene::empty(), &["run.sse.failed"]),
    ] {
        let server = Server::of(vec![vec![head(status, "application/json", ""), chunk(&failure), end()]]);
        let run = record(&scene, &server, &["--format", "json"]);
        assert_eq!((run.status, rules_of(&run)), (Some(1), vec!["http/status".into(), "http/secret-echoed".into()]));
        assert_eq!(run.json()["findings"][0]["file"], "run.sse.failed", "{run}");
        assert!(names(&scene).iter().eq(left), "{status}: {:?}", names(&scene));
        assert_eq!(scene.read("run.sse.failed"), masked, "{status}");
        if left.contains(&"run.sse") {
            assert_eq!([scene.read("run.sse"), scene.read("run.sse.times.jsonl")], [STARTED, "{}\n"], "{status}");
        }
        assert!(run.stderr.contains("note: the answer is a failure, so run.sse is left as it was\n"), "{run}");
        assert!(run.stderr.contains(" to run.sse.failed\n"), "{run}");
        assert!(!format!("{run}").contains(TOKEN) && !format!("{run}").contains(&token), "{run}");
    }
}

#[test]
fn a_recording_stays_until_there_is_another() {
    let server = Server::of(vec![Vec::new()]);
    let scene = Scene::empty().with("run.sse", STARTED);
    let run = record(&scene, &server, &[]);
    assert!(run.stderr.contains("the server closed the connection without an answer"), "{}", run.stderr);
    assert_eq!((run.status, scene.read("run.sse")), (Some(2), STARTED.to_owned()));
}

#[test]
fn a_recording_stays_if_its_times_cannot_be_written() {
    let server = Server::of(vec![vec![stream(), chunk(FINISHED), end()]]);
    let scene = Scene::empty().with("run.sse", STARTED);
    std::fs::create_dir(scene.path("run.sse.times.jsonl")).unwrap();
    let run = record(&scene, &server, &[]);
    assert!(run.stderr.contains("run.sse.times.jsonl: cannot be written"), "{}", run.stderr);
    assert_eq!((run.status, scene.read("run.sse")), (Some(2), STARTED.to_owned()));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_stays_as_it_was() {
    let server = Server::of(vec![Vec::new()]);
    let scene = Scene::empty();
    std::os::unix::fs::symlink("nowhere", scene.path("run.sse")).unwrap();
    let run = record(&scene, &server, &[]);
    assert_eq!((run.status, names(&scene)), (Some(2), BTreeSet::from(["run.sse".to_owned()])), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_recording_with_its_summary() {
    let server = Server::of(vec![vec![stream(), chunk(STARTED), Act::Hold]]);
    let (scene, url) = (Scene::empty(), server.url());
    let arguments = [url.as_str(), "-o", "run.sse"];
    let mut command = command(&scene, &arguments);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let file = scene.path("run.sse");
    for _ in 0..1000 {
        if std::fs::metadata(&file).is_ok_and(|about| about.len() > 0) {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let kill = format!("kill -INT {}", child.id());
    assert!(std::process::Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    let run = Run::ended(&arguments, child.wait_with_output().unwrap());
    assert_eq!((run.status, scene.read("run.sse")), (Some(0), STARTED.to_owned()), "{}", run.stderr);
    for said in ["stopped by Ctrl-C", "recorded ", "checked 1 event in 1 file: 0 errors"] {
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn no_exchange_is_left_of_a_rule_that_is_no_more() {
    let ids: BTreeSet<&str> = agent_contracts::rules().filter_map(|rule| rule.id().strip_prefix("http/")).collect();
    for folder in ["invalid", "valid"] {
        let files = crate::common::files(&crate::common::repository().join("fixtures/http").join(folder), ".http");
        let names: BTreeSet<String> =
            files.iter().map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        assert!(names.iter().map(String::as_str).eq(ids.iter().copied()), "{folder}: {names:?}");
    }
}
