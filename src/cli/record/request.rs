//! The request: what the arguments make of it, and its answer piece by piece.

use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ureq::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use ureq::http::{self, Method, Response, Uri};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body};

use super::connection::Head;
use super::{credentials, url};
use crate::check::leaks::is_secret_key;
use crate::cli::args::RecordArgs;
use crate::cli::console::{Failure, Outcome};

/// How many redirects are followed.
const REDIRECTS: usize = 10;

/// How many bytes are read at a time. A piece is unpacked as a whole, to a thousand times as much.
const PIECE: usize = 16 * 1024;

/// Whether the process was told to stop. What has come and waits is then not read any more.
pub(super) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A request that can be sent.
pub(super) struct Request {
    uri: Uri,
    method: Method,
    /// Headers that every server gets.
    common: HeaderMap,
    /// Those of the user, which are for the named server alone.
    own: HeaderMap,
    body: Option<Vec<u8>>,
    agent: Agent,
    secrets: Vec<Vec<u8>>,
}

/// What comes of a request. Times are since it was begun.
pub(super) enum Arrival {
    Answer(Duration, Head),
    Bytes(Duration, Vec<u8>),
    /// The body is complete.
    End(Duration),
    /// The connection broke off.
    Cut(Duration),
    /// There is no answer, and why.
    Failed(String),
    Interrupted,
}

impl Request {
    pub(super) fn new(args: &RecordArgs) -> Outcome<Self> {
        let uri = url::parse(&args.url).ok_or_else(|| {
            Failure::new(
                "write the whole URL of the stream, with http:// or https://, and a port up to 65535 if it has one",
            )
        })?;
        let body = args.input.as_deref().map(read_json).transpose()?;
        let mut own = HeaderMap::new();
        let mut secrets = credentials::of(&uri);
        for line in &args.headers {
            let (name, value) = line.split_once(':').ok_or_else(|| Failure::new("--header: write `Name: value`"))?;
            let is_secret = is_secret_key(name) || name.trim().eq_ignore_ascii_case("cookie");
            add(&mut own, name, value, is_secret.then_some(&mut secrets))?;
        }
        for pair in &args.header_envs {
            let (name, variable) =
                pair.split_once('=').ok_or_else(|| Failure::new("--header-env: write `Name=VARIABLE`"))?;
            let value = std::env::var(variable)
                .map_err(|_| Failure::new(format!("--header-env: the environment has no text {variable}")))?;
            add(&mut own, name, &value, Some(&mut secrets))?;
        }
        let default = if body.is_some() { Method::POST } else { Method::GET };
        let method = args.method.as_deref().and_then(|name| name.parse().ok()).unwrap_or(default);
        let agent = agent(args)?;
        Ok(Self { uri, method, common: common(body.is_some()), own, body, agent, secrets })
    }

    /// The URL as it may be shown.
    pub(super) fn name(&self) -> String {
        url::shown(&self.uri)
    }

    /// The credentials in the URL and in headers.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &[u8]> {
        self.secrets.iter().map(Vec::as_slice)
    }

    /// Sends the request by a thread of its own, so that a signal ends the wait for an answer.
    pub(super) fn start(self) -> mpsc::Receiver<Arrival> {
        let (sender, receiver) = mpsc::sync_channel(64);
        let interrupt = sender.clone();
        // A second handler is refused, which leaves the first one in place.
        let _ = ctrlc::set_handler(move || {
            INTERRUPTED.store(true, Ordering::Relaxed);
            // It ends a wait.
            let _ = interrupt.send(Arrival::Interrupted);
        });
        std::thread::spawn(move || {
            let begun = Instant::now();
            // Who is no longer there wants nothing more.
            let _ = self.run(begun, &sender);
        });
        receiver
    }

    fn run(mut self, begun: Instant, sender: &mpsc::SyncSender<Arrival>) -> Result<(), mpsc::SendError<Arrival>> {
        let mut moved = Vec::new();
        let response = match self.send(&mut moved) {
            Ok(response) => response,
            Err(error) => {
                let place = moved.last().map_or(String::new(), |place| format!("redirected to {place}: "));
                return sender.send(Arrival::Failed(place + &reason(&error)));
            }
        };
        sender.send(Arrival::Answer(begun.elapsed(), head(&response, moved)))?;
        let mut body = response.into_body().into_reader();
        let mut piece = vec![0; PIECE];
        loop {
            let read = body.read(&mut piece);
            let at = begun.elapsed();
            match read {
                Ok(0) => return sender.send(Arrival::End(at)),
                Ok(count) => sender.send(Arrival::Bytes(at, piece[..count].to_vec()))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return sender.send(Arrival::Cut(at)),
            }
        }
    }

    /// The answer, behind redirects.
    fn send(&mut self, moved: &mut Vec<String>) -> Result<Response<Body>, ureq::Error> {
        let first = self.uri.clone();
        loop {
            let response = self.send_once(&first)?;
            let location = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
            let next = location.and_then(|location| url::resolve(&self.uri, location));
            let Some(next) = next.filter(|_| response.status().is_redirection()) else {
                return Ok(response);
            };
            if moved.len() == REDIRECTS {
                return Err(ureq::Error::TooManyRedirects);
            }
            // Only these two say that the body is to be sent again.
            if !matches!(response.status().as_u16(), 307 | 308) && self.method != Method::GET {
                self.method = Method::GET;
                self.body = None;
                self.common.remove(header::CONTENT_TYPE);
            }
            moved.push(url::shown(&next));
            self.uri = next;
        }
    }

    fn send_once(&self, first: &Uri) -> Result<Response<Body>, ureq::Error> {
        let mut headers = self.common.clone();
        if url::same_server(first, &self.uri) {
            for name in self.own.keys() {
                headers.remove(name);
            }
            for (name, value) in &self.own {
                headers.append(name.clone(), value.clone());
            }
        }
        let mut request = http::Request::new(());
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = headers;
        match &self.body {
            Some(body) => self.agent.run(request.map(|()| body.as_slice())),
            None => self.agent.run(request),
        }
    }
}

fn common(has_body: bool) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers
        .insert(header::ACCEPT, HeaderValue::from_static("text/event-stream, application/x-ndjson, application/json"));
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let agent = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static(agent));
    if has_body {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    headers
}

/// Adds a header of the user; its value to the secrets, if it is one. No message has the value.
fn add(headers: &mut HeaderMap, name: &str, value: &str, secrets: Option<&mut Vec<Vec<u8>>>) -> Outcome<()> {
    let (name, value) = (name.trim(), value.trim());
    let parsed = HeaderName::from_bytes(name.as_bytes()).ok().zip(HeaderValue::from_bytes(value.as_bytes()).ok());
    let (name, value) = parsed.ok_or_else(|| Failure::new("a header has characters that headers cannot have"))?;
    if [header::CONTENT_LENGTH, header::TRANSFER_ENCODING].contains(&name) {
        return Err(Failure::new(format!("the header {name} is not for you to set")));
    }
    if let Some(secrets) = secrets {
        secrets.push(value.as_bytes().to_vec());
    }
    headers.append(name, value);
    Ok(())
}

/// The text of a JSON file.
fn read_json(path: &Path) -> Outcome<Vec<u8>> {
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "<stdin>".into() } else { path.to_string_lossy() };
    let read = if is_stdin {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = read.map_err(|error| Failure::new(format!("{name}: cannot be read: {error}")))?;
    serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).map_err(|error| {
        Failure::new(format!("{name}: is not JSON: line {}, column {}", error.line(), error.column()))
    })?;
    Ok(bytes)
}

fn agent(args: &RecordArgs) -> Outcome<Agent> {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        // Redirects are followed here, since other servers must not get the user's headers.
        .max_redirects(0)
        .timeout_resolve(Some(args.timeout))
        .timeout_connect(Some(args.timeout));
    if let Some(path) = &args.ca_file {
        let failed = |what: &str| Failure::new(format!("{}: {what}", path.display()));
        let pem = std::fs::read(path).map_err(|error| failed(&format!("cannot be read: {error}")))?;
        let mut trusted = Vec::new();
        for item in parse_pem(&pem) {
            if let PemItem::Certificate(certificate) = item.map_err(|_| failed("is not a PEM file"))? {
                trusted.push(certificate);
            }
        }
        if trusted.is_empty() {
            return Err(failed("has no certificate"));
        }
        config = config.tls_config(TlsConfig::builder().root_certs(RootCerts::from(trusted)).build());
    }
    Ok(config.build().into())
}

fn head(response: &Response<Body>, moved: Vec<String>) -> Head {
    let text = |name: HeaderName| {
        let value = response.headers().get(name)?.to_str().ok()?;
        Some(value.trim().to_ascii_lowercase())
    };
    let content_type = text(header::CONTENT_TYPE);
    let essence = content_type.map(|value| value.split(';').next().unwrap_or_default().trim().to_owned());
    Head { status: response.status().as_u16(), content_type: essence, encoding: text(header::CONTENT_ENCODING), moved }
}

/// Why there is no answer. Some texts of the client quote URLs and headers, so they are not used.
fn reason(error: &ureq::Error) -> String {
    match error {
        ureq::Error::HostNotFound => "there is no host of that name".into(),
        ureq::Error::Timeout(ureq::Timeout::Resolve | ureq::Timeout::Connect) => {
            "the connection took longer than --timeout".into()
        }
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            "the server closed the connection without an answer".into()
        }
        ureq::Error::Io(error) => format!("the connection failed: {error}"),
        ureq::Error::Rustls(error) => format!("no secure connection: {error}"),
        ureq::Error::TooManyRedirects => format!("there are more than {REDIRECTS} redirects"),
        ureq::Error::Protocol(_) => "the answer is not HTTP/1.1, or has too many headers".into(),
        ureq::Error::LargeResponseHeader(_, most) => format!("the headers of the answer are longer than {most} bytes"),
        ureq::Error::ConnectProxyFailed(_) => "the proxy refuses the connection".into(),
        _ => "the request failed".into(),
    }
}
