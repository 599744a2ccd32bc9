//! A proxy that checks the AG-UI streams which pass through it: bytes in, the same bytes
//! out, findings to the log.
//!
//! `cargo run --example proxy -- http://127.0.0.1:8000`
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the example says where it listens, and logs")]

use std::io::{self, Read};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use agent_contracts::Protocol;
use agent_contracts::stream::{Findings, StreamChecker};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header, request::Parts};
use futures_core::Stream;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

/// The largest request that is passed on.
const LARGEST: usize = 16 * 1024 * 1024;

/// Headers that are about one connection, not about what it carries.
const OF_THE_CONNECTION: [&str; 8] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Where requests go, and where findings go.
pub struct Proxy {
    upstream: String,
    agent: ureq::Agent,
    log: Box<dyn Fn(&str) + Send + Sync>,
}

impl Proxy {
    /// A proxy before `upstream`, such as `http://127.0.0.1:8000`. `log` gets a line for each
    /// finding; no line has a value of a payload.
    pub fn new(upstream: &str, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).proxy(None).build();
        Self { upstream: upstream.trim_end_matches('/').to_owned(), agent: config.into(), log: Box::new(log) }
    }

    /// Sends the request on.
    fn ask(&self, head: &Parts, body: &[u8]) -> Result<Response<ureq::Body>, ureq::Error> {
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
        let mut request = ureq::http::Request::builder()
            .method(head.method.clone())
            .uri(format!("{}{path}", self.upstream))
            .body(())?;
        *request.headers_mut() = passed_on(&head.headers);
        request.headers_mut().remove(header::HOST);
        request.headers_mut().remove(header::CONTENT_LENGTH);
        // What is packed cannot be looked at, and comes late.
        request.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if body.is_empty() { self.agent.run(request) } else { self.agent.run(request.map(|()| body)) }
    }

    /// Passes a body on, piece by piece as it comes. What is checked has been sent already,
    /// so a finding delays nothing.
    fn relay(&self, mut body: impl Read, mut checker: Option<StreamChecker>, to: &mpsc::Sender<io::Result<Bytes>>) {
        let mut piece = vec![0; 16 * 1024];
        loop {
            match body.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => {
                    if to.blocking_send(Ok(Bytes::copy_from_slice(&piece[..count]))).is_err() {
                        // The client has gone. What the stream lacks is not the agent's fault.
                        return;
                    }
                    if let Some(checker) = &mut checker {
                        self.report(checker.push(&piece[..count]));
                    }
                }
                // The client's connection breaks off as this one did.
                Err(error) => return drop(to.blocking_send(Err(error))),
            }
        }
        if let Some(checker) = &mut checker {
            self.report(checker.finish());
        }
    }

    fn report(&self, findings: Findings<'_>) {
        for finding in findings {
            let line = finding.location.map_or(String::new(), |place| format!(" in line {}", place.line));
            (self.log)(&format!("{finding}{line}"));
        }
    }
}

fn passed_on(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    for name in OF_THE_CONNECTION {
        headers.remove(name);
    }
    headers
}

/// A checker, if the answer is an event stream that can be read.
fn checker(headers: &HeaderMap) -> Option<StreamChecker> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_stream = content_type.starts_with("text/event-stream") && !headers.contains_key(header::CONTENT_ENCODING);
    is_stream.then(|| StreamChecker::new(Protocol::AGUI))
}

/// Pieces of a body as they come from another thread.
struct Pieces(mpsc::Receiver<io::Result<Bytes>>);

impl Stream for Pieces {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

async fn pass(State(proxy): State<Arc<Proxy>>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LARGEST).await else { return refuse(StatusCode::PAYLOAD_TOO_LARGE) };
    let asking = Arc::clone(&proxy);
    let Ok(Ok(answer)) = spawn_blocking(move || asking.ask(&head, &body)).await else {
        return refuse(StatusCode::BAD_GATEWAY);
    };
    let (head, body) = answer.into_parts();
    let (sender, receiver) = mpsc::channel(16);
    let checker = checker(&head.headers);
    spawn_blocking(move || proxy.relay(body.into_reader(), checker, &sender));
    let mut response = Response::new(Body::from_stream(Pieces(receiver)));
    *response.status_mut() = head.status;
    *response.headers_mut() = passed_on(&head.headers);
    response
}

fn refuse(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// Passes requests on until the listener fails.
///
/// # Errors
/// When the listener fails.
pub async fn serve(listener: tokio::net::TcpListener, proxy: Proxy) -> io::Result<()> {
    axum::serve(listener, Router::new().fallback(pass).with_state(Arc::new(proxy))).await
}

fn main() -> io::Result<()> {
    let upstream = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8000".to_owned());
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:8090").await?;
        println!("http://{} before {upstream}", listener.local_addr()?);
        serve(listener, Proxy::new(&upstream, |line| eprintln!("{line}"))).await
    })
}
