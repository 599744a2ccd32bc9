//! What a connection shows beside the bytes: its answer, when they came, and how it ended.

use std::time::Duration;

use super::echo::Sent;
use crate::check::{Rule, Severity, http_rules};
use crate::safe::show;
use crate::safe::tokens::contains_token;
use crate::stream::Framing;
use crate::wire::span::Segment;

/// The beginning of an answer.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) status: u16,
    /// Whether a body was sent to whoever answers.
    pub(super) had_body: bool,
    /// Without parameters, in lower case.
    pub(super) content_type: Option<String>,
    pub(super) encoding: Option<String>,
    /// Where redirects led, as it may be shown.
    pub(super) moved: Vec<String>,
}

impl Head {
    /// What headers have said.
    pub(super) fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        self.content_type.iter_mut().chain(&mut self.encoding).chain(&mut self.moved)
    }
}

/// How a recording ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Complete,
    Cut,
    /// Its time was over.
    Late,
    /// It was stopped here, and by what.
    Stopped(&'static str),
}

impl Ending {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Cut => "cut",
            Self::Late | Self::Stopped(_) => "stopped",
        }
    }
}

/// From when on something is reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) keep_alive: Duration,
    pub(super) buffered: Duration,
}

/// Something that is wrong with the connection.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) rule: &'static Rule,
    pub(super) severity: Severity,
    pub(super) place: Option<Segment>,
    pub(super) message: String,
    /// What to do, where more is known than the rule knows.
    pub(super) hint: Option<&'static str>,
}

impl Fault {
    pub(super) fn of(rule: &'static Rule, message: impl Into<String>) -> Self {
        Self { rule, severity: rule.severity(), place: None, message: message.into(), hint: None }
    }

    fn at(self, place: Segment) -> Self {
        Self { place: Some(place), ..self }
    }

    fn graded(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    fn hinted(self, hint: Option<&'static str>) -> Self {
        Self { hint, ..self }
    }
}

/// A connection, from its answer to its end. Times are since the request.
#[derive(Debug)]
pub(super) struct Connection {
    patience: Patience,
    head: Head,
    /// Where the next byte of the body stands.
    place: Segment,
    /// When the first bytes came.
    first: Option<Duration>,
    /// When anything came last.
    last: Duration,
    /// How many bursts it came in: what follows within `BURST` belongs to the burst before.
    bursts: u64,
    /// The longest silence, and where it was.
    silence: (Duration, Segment),
    lasted: Duration,
    ending: Option<Ending>,
}

/// What is known of the body beside the connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    pub(super) framing: Option<Framing>,
    pub(super) events: u64,
    /// Why not all of it was read.
    pub(super) unread: Option<&'static str>,
    /// What of the request it repeats.
    pub(super) repeats: Option<Sent>,
}

impl Connection {
    /// An answer that has come at `at`.
    pub(super) fn new(patience: Patience, head: Head, at: Duration) -> Self {
        let place = Segment::WHOLE;
        Self { patience, head, place, first: None, last: at, bursts: 0, silence: (at, place), lasted: at, ending: None }
    }

    pub(super) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// How long it took, up to now.
    pub(super) fn lasted(&self) -> Duration {
        self.lasted
    }

    /// Whether the answer says that it is what was asked for.
    pub(super) fn is_success(&self) -> bool {
        (200..300).contains(&self.head.status)
    }

    /// Whether a body was sent, which the answer is to.
    pub(super) fn had_body(&self) -> bool {
        self.head.had_body
    }

    /// Takes the next bytes, as they are read.
    pub(super) fn arrive(&mut self, at: Duration, bytes: &[u8]) {
        self.end_silence(at);
        let is_burst = self.first.is_none() || at.saturating_sub(self.last) > BURST;
        self.bursts += u64::from(is_burst);
        self.first.get_or_insert(at);
        self.last = at;
        self.pass(bytes);
    }

    /// Ends the connection, with what was kept back of the bytes.
    pub(super) fn end(&mut self, at: Duration, bytes: &[u8], ending: Ending) {
        self.end_silence(at);
        self.pass(bytes);
        (self.lasted, self.ending) = (at, Some(ending));
    }

    fn end_silence(&mut self, at: Duration) {
        let silence = at.saturating_sub(self.last);
        if silence > self.silence.0 {
            self.silence = (silence, self.place);
        }
    }

    /// Takes bytes that have come before.
    pub(super) fn pass(&mut self, bytes: &[u8]) {
        self.place.offset += bytes.len() as u64;
        for byte in bytes {
            match byte {
                b'\n' => (self.place.line, self.place.column) = (self.place.line + 1, 1),
                // Columns count characters, not the bytes that go on with one.
                0x80..=0xBF => {}
                _ => self.place.column += 1,
            }
        }
    }

    /// What is wrong with the connection, when all of it is known.
    pub(super) fn faults(&self, content: Content) -> Vec<Fault> {
        let of_answer = if self.is_success() {
            [self.compressed(content), self.content_type(content), self.buffered(content)]
        } else {
            [Some(self.status()), None, None]
        };
        let of_all = [self.silent(), self.cut(), self.repeats(content)];
        of_answer.into_iter().chain(of_all).flatten().collect()
    }

    fn status(&self) -> Fault {
        let Head { status, had_body, .. } = self.head;
        let hint = match status {
            401 | 403 => Some("send the credential that the server asks for, with --header-env"),
            404 => Some("look at the path of the URL: the server has nothing there"),
            400 | 405 | 415 | 422 if !had_body => {
                Some("send what its clients send, with --input or --ask: without them this is a GET request")
            }
            400 | 422 => {
                Some("look at what was sent; the body of the answer says what is wrong with it, and -o keeps it")
            }
            _ => None,
        };
        Fault::of(&http_rules::STATUS, format!("the server answers {status}")).at(Segment::WHOLE).hinted(hint)
    }

    /// What the body is packed by.
    fn packing(&self) -> Option<&str> {
        self.head.encoding.as_deref().filter(|name| !matches!(*name, "" | "identity"))
    }

    fn compressed(&self, content: Content) -> Option<Fault> {
        let packed = format!("the body is packed by {}", show(self.packing()?));
        Some(match content.unread {
            Some(why) => Fault::of(&http_rules::COMPRESSED, format!("{packed} and {why}")).graded(Severity::Error),
            None => Fault::of(&http_rules::COMPRESSED, packed),
        })
    }

    fn content_type(&self, content: Content) -> Option<Fault> {
        let named = self.head.content_type.as_deref().unwrap_or_default();
        let fits = |framing: Framing| match framing {
            Framing::Sse => named == "text/event-stream",
            // A value on a line of its own is a document as well.
            Framing::Ndjson => LINES.contains(&named) || (content.events < 2 && is_json(named)),
            Framing::Json => is_json(named),
        };
        let is_fitting = content.framing.map_or_else(|| Framing::ALL.iter().copied().any(fits), fits);
        if is_fitting || self.place.offset == 0 {
            return None;
        }
        let says = match named {
            "" => "the response has no content type".to_owned(),
            _ if is_media_type(named) => format!("the content type is {named}"),
            _ => format!("the content type is {}", show(named)),
        };
        let body = match content.framing {
            Some(Framing::Sse) => "and the body is server-sent events",
            Some(Framing::Ndjson) => "and the body is JSON lines",
            Some(Framing::Json) => "and the body is one JSON document",
            None => "and no events were recognised in the body",
        };
        let is_risky = matches!(content.framing, Some(Framing::Ndjson | Framing::Json));
        let severity = if is_risky { Severity::Warning } else { Severity::Error };
        let hint = match content.framing {
            Some(Framing::Sse) => Some("send `content-type: text/event-stream`"),
            Some(Framing::Ndjson) => Some("send `content-type: application/x-ndjson`"),
            Some(Framing::Json) => Some("send `content-type: application/json`"),
            None if named.ends_with("+proto") => {
                Some("have the server send `text/event-stream`; its binary form is not read here")
            }
            None => None,
        };
        Some(Fault::of(&http_rules::CONTENT_TYPE, format!("{says}, {body}")).graded(severity).hinted(hint))
    }

    fn buffered(&self, content: Content) -> Option<Fault> {
        let wait = self.first?;
        // An answer that is short, and comes piece by piece, is none that was kept back.
        let is_in_bursts = content.events >= self.bursts.saturating_mul(3);
        let at_once = is_in_bursts && self.last.saturating_sub(wait).saturating_mul(10) <= wait;
        let is_stream = content.events > 2 && content.framing != Some(Framing::Json);
        let is_fault = is_stream && at_once && wait > self.patience.buffered && self.ending == Some(Ending::Complete);
        is_fault.then(|| {
            let message = format!("all {} events came at once, {} after the request", content.events, seconds(wait));
            Fault::of(&http_rules::BUFFERED, message)
        })
    }

    fn silent(&self) -> Option<Fault> {
        let (length, place) = self.silence;
        (length > self.patience.keep_alive)
            .then(|| Fault::of(&http_rules::NO_KEEP_ALIVE, format!("nothing came for {}", seconds(length))).at(place))
    }

    fn cut(&self) -> Option<Fault> {
        (self.ending == Some(Ending::Cut)).then(|| {
            let message = format!("the connection broke off after {} bytes", self.place.offset);
            Fault::of(&http_rules::CUT, message).at(self.place)
        })
    }

    fn repeats(&self, content: Content) -> Option<Fault> {
        let file = self.packing().map_or("it is masked in the recording", |_| "the recording may hold it, packed");
        let (what, severity) = match content.repeats? {
            Sent::Credential => ("a credential", Severity::Error),
            Sent::Header => ("a header", Severity::Warning),
        };
        let message = format!("the answer repeats {what} of the request; {file}");
        Some(Fault::of(&http_rules::SECRET_ECHOED, message).graded(severity))
    }
}

/// How soon behind what came before something comes in the same burst.
const BURST: Duration = Duration::from_millis(5);

/// Whether a content type is one by its form, which nothing else has.
fn is_media_type(text: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'_');
    let of_kind = |(kind, name): (&str, &str)| {
        matches!(kind, "application" | "image" | "multipart" | "text")
            && (1..=64).contains(&name.len())
            && name.bytes().all(is_name)
    };
    text.split_once('/').is_some_and(of_kind) && !contains_token(text)
}

/// Whether a content type is that of a JSON document.
fn is_json(named: &str) -> bool {
    named == "application/json" || named.ends_with("+json")
}

/// The content types of JSON lines that are in use.
const LINES: &[&str] = &[
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/jsonlines",
    "application/json-lines",
];

/// A time for people.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_types_are_shown_if_they_are_some() {
        let token = ["application/ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        for (text, is_one) in [
            ("text/html", true),
            ("application/vnd.ag-ui.event+proto", true),
            ("application/x-ndjson", true),
            ("text/", false),
            ("html", false),
            ("secret/html", false),
            ("text/html; x", false),
            ("text/a/b", false),
            (token.as_str(), false),
        ] {
            assert_eq!(is_media_type(text), is_one, "{text}");
        }
    }
}
