//! The request: what the arguments make of it, and its answer piece by piece.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ureq::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use ureq::http::{self, Method, Response, Uri};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, Proxy, ProxyProtocol};

use super::connection::Head;
use super::echo::Sent;
use super::{credentials, url};
use crate::check::Protocol;
use crate::check::leaks::is_secret_key;
use crate::check::spec::SpecRef;
use crate::cli::args::RecordArgs;
use crate::cli::console::{Failure, Outcome};
use crate::cli::whole;
use crate::safe::show;

/// How many redirects are followed.
const REDIRECTS: usize = 10;

/// How many bytes are read at a time. A piece is unpacked as a whole, to a thousand times as much.
const PIECE: usize = 16 * 1024;

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
    /// What of it the answer may not repeat.
    sent: Vec<(Sent, Vec<u8>)>,
    /// How long a server that does not listen yet is waited for.
    wait: Duration,
}

/// How long it takes until a server that does not listen is asked again.
const PAUSE: Duration = Duration::from_millis(100);

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
}

impl Request {
    pub(super) fn new(args: &RecordArgs) -> Outcome<Self> {
        let uri = url::parse(&args.url).ok_or_else(|| {
            Failure::new(
                "write the whole URL of the stream, with http:// or https://, and a port up to 65535 if it has one",
            )
        })?;
        let body = match (&args.input, &args.ask) {
            (Some(path), _) => Some(read_json(path)?),
            (None, Some(question)) => Some(asked(&args.how.protocol, question)?),
            (None, None) => None,
        };
        let mut own = HeaderMap::new();
        let mut sent: Vec<_> = credentials::of(&uri).into_iter().map(|secret| (Sent::Credential, secret)).collect();
        for line in &args.headers {
            let (name, value) = line.split_once(':').ok_or_else(|| Failure::new("--header: write `Name: value`"))?;
            let (name, value) = add(&mut own, name, value)?;
            sent.extend(kind(name.as_str()).map(|kind| (kind, value)));
        }
        for pair in &args.header_envs {
            let (name, variable) =
                pair.split_once('=').ok_or_else(|| Failure::new("--header-env: write `Name=VARIABLE`"))?;
            let value = std::env::var(variable).map_err(|_| Failure::new(no_variable(name, variable)))?;
            let (_, value) = add(&mut own, name, &value)?;
            sent.push((Sent::Credential, value));
        }
        let default = if body.is_some() { Method::POST } else { Method::GET };
        let method = args.method.as_deref().and_then(|name| name.parse().ok()).unwrap_or(default);
        if method == Method::GET && body.is_some() {
            return Err(Failure::new(
                "--method GET: a GET request has no body, so it does not go with --ask and --input",
            ));
        }
        refuse_unusable_proxy(&uri)?;
        let agent = agent(args)?;
        let wait = args.wait;
        Ok(Self { uri, method, common: common(body.is_some()), own, body, agent, sent, wait })
    }

    /// The URL as it may be shown.
    pub(super) fn name(&self) -> String {
        url::shown(&self.uri)
    }

    /// What of it the answer may not repeat: credentials in the URL, and values of headers.
    pub(super) fn sent(&self) -> impl Iterator<Item = (Sent, &[u8])> {
        self.sent.iter().map(|(kind, value)| (*kind, value.as_slice()))
    }

    /// Sends the request by a thread of its own, so that Ctrl-C ends the wait for an answer.
    pub(super) fn start(self) -> mpsc::Receiver<Arrival> {
        let (sender, receiver) = mpsc::sync_channel(64);
        std::thread::spawn(move || {
            // Who is no longer there wants nothing more.
            let _ = self.run(&sender);
        });
        receiver
    }

    #[expect(clippy::indexing_slicing, reason = "a reader gives no more bytes than there is room for")]
    fn run(mut self, sender: &mpsc::SyncSender<Arrival>) -> Result<(), mpsc::SendError<Arrival>> {
        let mut moved = Vec::new();
        let patient_until = Instant::now().checked_add(self.wait);
        let (begun, response) = loop {
            let begun = Instant::now();
            match self.send(&mut moved) {
                Ok(response) => break (begun, response),
                Err(error) if is_early(&error) && patient_until.is_none_or(|until| Instant::now() < until) => {
                    std::thread::sleep(PAUSE);
                }
                Err(error) => {
                    let place = moved.last().map_or(String::new(), |place| format!("{place}: "));
                    let mut why = reason(&error, self.uri.scheme_str(), !self.wait.is_zero());
                    if is_early(&error) && Proxy::try_from_env().is_some() && !is_reached_without_proxy(&self.uri) {
                        why += "; it goes by the proxy that the environment names";
                    }
                    return sender.send(Arrival::Failed(place + &why));
                }
            }
        };
        sender.send(Arrival::Answer(begun.elapsed(), head(&response, self.body.is_some(), moved)))?;
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
            if refuse_unusable_proxy(&next).is_err() {
                return Err(ureq::Error::InvalidProxyUrl);
            }
            let mut place = format!("redirected to {}", url::shown(&next));
            // Only these two say that the body is to be sent again.
            if !matches!(response.status().as_u16(), 307 | 308) && self.method != Method::GET {
                place += &format!(", by a status that makes {} a GET request without a body", self.method);
                self.method = Method::GET;
                self.body = None;
                self.common.remove(header::CONTENT_TYPE);
            }
            moved.push(place);
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

/// What the value of a header is, by its name in lower case. Names of formats are repeated by
/// good streams.
fn kind(name: &str) -> Option<Sent> {
    if is_secret_key(name) || name == "cookie" {
        return Some(Sent::Credential);
    }
    let is_of_format = name == "content-type" || name.starts_with("accept");
    (!is_of_format).then_some(Sent::Header)
}

/// Adds a header of the user; gives it as it is sent. No message has the value.
fn add(headers: &mut HeaderMap, name: &str, value: &str) -> Outcome<(HeaderName, Vec<u8>)> {
    let (name, value) = (name.trim(), value.trim());
    let parsed = HeaderName::from_bytes(name.as_bytes()).ok().zip(HeaderValue::from_bytes(value.as_bytes()).ok());
    let (name, value) = parsed.ok_or_else(|| Failure::new("a header has characters that headers cannot have"))?;
    if [header::CONTENT_LENGTH, header::TRANSFER_ENCODING].contains(&name) {
        return Err(Failure::new(format!("the header {name} is set by the client; leave it out")));
    }
    let sent = (name.clone(), value.as_bytes().to_vec());
    headers.append(name, value);
    Ok(sent)
}

/// The message about a variable that is not set. It may be the value itself that was written, so it is not shown.
fn no_variable(header: &str, variable: &str) -> String {
    let is_name = variable.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && variable.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    if is_name {
        format!("--header-env: the environment variable for {} is not set, or is not UTF-8", show(header))
    } else {
        "--header-env: write the name of an environment variable behind `=`, not its value".to_owned()
    }
}

/// What asks an agent the question, in the protocol of that name, or else in AG-UI.
fn asked(protocol: &str, question: &str) -> Outcome<Vec<u8>> {
    let id = protocol.split('@').next().unwrap_or_default();
    let protocol = Protocol::from_id(id).unwrap_or(Protocol::AGUI);
    let ask = SpecRef::of(&protocol).ask.ok_or_else(|| {
        let help = "write what its clients send to a file, and name that with --input";
        Failure::new(format!("--ask: a request in {protocol} needs more than a question; {help}"))
    })?;
    // As random as the keys of this process's hash maps.
    let stamp = RandomState::new().build_hasher().finish() as u32;
    Ok(ask(question, &format!("{stamp:08x}")).into_bytes())
}

/// The text of a JSON file.
fn read_json(path: &Path) -> Outcome<Vec<u8>> {
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "<stdin>".into() } else { path.to_string_lossy() };
    let read = if is_stdin { whole::bounded(io::stdin().lock()) } else { whole::read(path) };
    let bytes = read.map_err(|error| Failure::new(format!("{name}: cannot be read: {error}")))?;
    serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).map_err(|error| {
        Failure::new(format!("{name}: is not JSON: line {}, column {}", error.line(), error.column()))
    })?;
    Ok(bytes)
}

/// The variables that name a proxy, in the order in which they count.
const PROXIES: [&str; 6] = ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/// Refuses a proxy that the client would pass by without a word.
fn refuse_unusable_proxy(uri: &Uri) -> Outcome<()> {
    let value = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let mut set = PROXIES.into_iter().filter_map(|name| Some((name, value(name)?)));
    let Some((name, value)) = set.next() else { return Ok(()) };
    let proxy = value.to_str().and_then(|value| Proxy::new(value).ok());
    let is_http = |proxy: Proxy| matches!(proxy.protocol(), ProxyProtocol::Http | ProxyProtocol::Https);
    if proxy.is_some_and(is_http) || is_reached_without_proxy(uri) {
        return Ok(());
    }
    let help = "write http://HOST:PORT, or unset it";
    Err(Failure::new(format!("{name} is not the URL of an HTTP proxy, and other proxies are not supported; {help}")))
}

/// Whether the environment names a proxy, and the host as one that goes without it.
fn is_reached_without_proxy(uri: &Uri) -> bool {
    Proxy::try_from_env().is_some_and(|proxy| proxy.is_no_proxy(uri))
}

fn agent(args: &RecordArgs) -> Outcome<Agent> {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        // Redirects are followed here, since other servers must not get the user's headers.
        .max_redirects(0)
        // A server may close the connection behind one, without saying so.
        .max_idle_connections(0)
        .timeout_resolve(Some(args.timeout))
        .timeout_connect(Some(args.timeout));
    if let Some(path) = &args.ca_file {
        let failed = |what: &str| Failure::new(format!("{}: {what}", path.display()));
        let pem = whole::read(path).map_err(|error| failed(&format!("cannot be read: {error}")))?;
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

fn head(response: &Response<Body>, had_body: bool, moved: Vec<String>) -> Head {
    let text = |name: HeaderName| {
        let value = String::from_utf8_lossy(response.headers().get(name)?.as_bytes());
        Some(value.trim().to_ascii_lowercase())
    };
    let content_type = text(header::CONTENT_TYPE);
    let essence = content_type.map(|value| value.split(';').next().unwrap_or_default().trim().to_owned());
    let (status, encoding) = (response.status().as_u16(), text(header::CONTENT_ENCODING));
    Head { status, had_body, content_type: essence, encoding, moved }
}

/// Whether nobody listens there, or the name is not known, which may come.
fn is_early(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::HostNotFound => true,
        ureq::Error::Io(error) => error.kind() == io::ErrorKind::ConnectionRefused || is_lookup(error),
        _ => false,
    }
}

/// Whether the system did not find the host. It has no kind of its own for that.
fn is_lookup(error: &io::Error) -> bool {
    error.to_string().starts_with("failed to lookup address")
}

/// Why there is no answer. Some texts of the client quote URLs and headers, so they are not used.
fn reason(error: &ureq::Error, scheme: Option<&str>, has_waited: bool) -> String {
    match error {
        ureq::Error::HostNotFound => "there is no host of that name".into(),
        ureq::Error::Timeout(ureq::Timeout::Resolve | ureq::Timeout::Connect) => {
            "the connection took longer than --timeout".into()
        }
        ureq::Error::Io(error) if has_waited && error.kind() == io::ErrorKind::ConnectionRefused => {
            format!("the connection failed: {error}; the server did not come up within --wait")
        }
        ureq::Error::Io(error) => reason_of_io(error, scheme == Some("https")),
        ureq::Error::Rustls(error) => no_tls(&error.to_string()),
        ureq::Error::TooManyRedirects => format!("there are more than {REDIRECTS} redirects"),
        ureq::Error::Protocol(_) => "the answer is not HTTP/1.1, or has too many headers or malformed ones".into(),
        ureq::Error::LargeResponseHeader(_, most) => format!("the headers of the answer are longer than {most} bytes"),
        ureq::Error::InvalidProxyUrl => "the proxy that the environment names cannot be used".into(),
        ureq::Error::ConnectProxyFailed(_) => "the proxy refuses the connection".into(),
        _ => "the request failed".into(),
    }
}

fn reason_of_io(error: &io::Error, is_secure: bool) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof if is_secure => "the server closed the connection without an answer".into(),
        io::ErrorKind::UnexpectedEof => {
            "the server closed the connection without an answer; should the URL begin with https://?".into()
        }
        io::ErrorKind::ConnectionRefused => {
            format!("the connection failed: {error}; is the server up? --wait TIME waits for it")
        }
        _ if is_lookup(error) => "there is no host of that name".into(),
        // What TLS refuses comes in the clothes of the connection.
        io::ErrorKind::InvalidData if is_secure => no_tls(&error.to_string()),
        _ => format!("the connection failed: {error}"),
    }
}

/// Why there is no secure connection, by what the library for it says.
fn no_tls(said: &str) -> String {
    let why = match said.strip_prefix("invalid peer certificate: ") {
        Some(what) if what.contains("CaUsedAsEndEntity") => {
            "the certificate of the server is that of an authority; it needs one of its own, without CA:TRUE"
        }
        Some("UnknownIssuer") => "the certificate of the server is of an unknown authority; name that with --ca-file",
        Some("Expired") => "the certificate of the server has expired",
        _ if said.contains("InvalidContentType") => "the server does not speak TLS; should the URL begin with http://?",
        _ => return format!("no secure connection: {said}"),
    };
    why.into()
}
