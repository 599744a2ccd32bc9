//! The proxy of the examples, over the loopback: what goes in comes out, at once, and what is
//! wrong with it is logged.

#[allow(dead_code, reason = "the example's main function")]
#[path = "../../examples/proxy.rs"]
mod proxy;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::port::silent;
use proxy::{Proxy, serve};

const STARTED: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"thread_1\",\"runId\":\"run_1\"}\n\n";
const CLOSED: &str = "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"msg_1\"}\n\n";
const FINISHED: &str = "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"thread_1\",\"runId\":\"run_1\"}\n\n";

/// How long something may take that needs no time.
const PATIENCE: Duration = Duration::from_secs(20);

/// An agent with one connection: it sends `head`, then each text it is given, and closes the
/// connection when there are no more. What it was asked comes first.
fn agent(head: &'static str) -> (SocketAddr, Sender<String>, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (texts, given) = mpsc::channel::<String>();
    let (asked, question) = mpsc::channel();
    thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        asked.send(read_request(&mut client)).unwrap();
        client.write_all(head.as_bytes()).unwrap();
        for text in given {
            client.write_all(text.as_bytes()).unwrap();
        }
    });
    (address, texts, question)
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

/// The proxy before an agent, and what it logs.
fn proxy(upstream: SocketAddr) -> (String, Arc<Mutex<Vec<String>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&log);
    let proxy = Proxy::new(&format!("http://{upstream}"), move |line| kept.lock().unwrap().push(line.to_owned()));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        tokio::runtime::Runtime::new().unwrap().block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            serve(listener, proxy).await.unwrap();
        });
    });
    (format!("http://{address}/agent?x=1"), log)
}

fn client() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).proxy(None).timeout_global(Some(PATIENCE)).build().into()
}

/// The findings, when there are as many: the last comes behind the last bytes.
fn logged(log: &Mutex<Vec<String>>, count: usize) -> Vec<String> {
    for _ in 0..2000 {
        if log.lock().unwrap().len() >= count {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    log.lock().unwrap().clone()
}

fn read(body: &mut impl Read, length: usize) -> String {
    let mut bytes = vec![0; length];
    body.read_exact(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn each_piece_is_passed_on_before_the_next_one_comes() {
    let (upstream, texts, asked) = agent("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-trace: 7\r\n\r\n");
    let (url, log) = proxy(upstream);
    let response = client().post(url).header("authorization", "Bearer example").send("{\"runId\":\"run_1\"}").unwrap();
    assert_eq!(response.headers()["x-trace"], "7");
    let question = asked.recv_timeout(PATIENCE).unwrap();
    assert!(question.starts_with("POST /agent?x=1 HTTP/1.1\r\n"), "{question}");
    assert!(question.contains("authorization: Bearer example\r\n"), "{question}");
    assert!(question.ends_with("\r\n\r\n{\"runId\":\"run_1\"}"), "{question}");

    // The agent says nothing more until what it said has arrived.
    let mut body = response.into_body().into_reader();
    for text in [STARTED, CLOSED, FINISHED] {
        texts.send(text.to_owned()).unwrap();
        assert_eq!(read(&mut body, text.len()), text);
    }
    drop(texts);
    assert_eq!(body.read(&mut [0]).unwrap(), 0);
    assert_eq!(logged(&log, 1), ["error[agui/text-end-without-start]: no text message msg_1 is open in line 3"]);
}

#[test]
fn what_the_end_shows_is_logged_unless_the_connection_broke() {
    let chunk = format!("{:x}\r\n{STARTED}\r\n", STARTED.len());
    for (end, logs, is_cut) in [("0\r\n\r\n", &["error[agui/truncated-stream]"][..], false), ("5\r\nda", &[], true)] {
        let (upstream, texts, _asked) =
            agent("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
        let (url, log) = proxy(upstream);
        texts.send(format!("{chunk}{end}")).unwrap();
        drop(texts);
        // What is cut at once may arrive as no answer at all.
        let read = |mut body: ureq::Body| body.read_to_vec().is_ok();
        let is_whole = client().get(url).call().is_ok_and(|answer| read(answer.into_body()));
        assert_eq!(is_whole, !is_cut, "{end:?}");
        let lines = logged(&log, logs.len());
        let rules: Vec<&str> = lines.iter().map(|line| line.split(": ").next().unwrap()).collect();
        assert_eq!(rules, logs, "{end:?}");
    }
}

#[test]
fn what_is_no_stream_is_passed_on_as_it_is() {
    let head = "HTTP/1.1 418 I'm a teapot\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n";
    let (upstream, texts, _asked) = agent(head);
    let (url, log) = proxy(upstream);
    texts.send("{}".to_owned()).unwrap();
    let mut response = client().get(url).call().unwrap();
    assert_eq!((response.status().as_u16(), response.headers()["content-length"].as_bytes()), (418, &b"2"[..]));
    assert_eq!(response.body_mut().read_to_string().unwrap(), "{}");
    assert!(log.lock().unwrap().is_empty());

    let (_held, nobody) = silent();
    assert_eq!(client().get(proxy(nobody).0).call().unwrap().status(), 502);
}
