//! Server-sent events as the standard reads them (WHATWG HTML, section 9.2): every rule of the
//! format with its corner cases, wherever the stream is cut.

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding};
use agent_contracts::stream::sse::{Item, Parser};
use agent_contracts::stream::{Framing, StreamChecker};

/// What it is about, a stream, and what a client sees of it: the type and the data of each
/// message, with the id that it would reconnect with, if there is one.
type Row = (&'static str, &'static str, &'static [&'static str]);

const LINE_ENDS: &[Row] = &[
    ("line feeds", "data: a\n\n", &[r#"message "a""#]),
    ("carriage returns", "data: a\r\r", &[r#"message "a""#]),
    ("both", "data: a\r\n\r\n", &[r#"message "a""#]),
    ("all three", "data: a\ndata: b\r\ndata: c\r\n\r", &[r#"message "a\nb\nc""#]),
    ("a pair is one line end", "data: a\r\ndata: b\r\n\r\n", &[r#"message "a\nb""#]),
    ("the other way round it is two", "data: a\n\rdata: b\n\n", &[r#"message "a""#, r#"message "b""#]),
    ("a blank line that is a pair", "data: a\r\r\ndata: b\r\r\n", &[r#"message "a""#, r#"message "b""#]),
    (
        "other breaks are characters",
        "data: a\u{b}\u{c}\u{85}\u{2028}b\n\n",
        &[r#"message "a\u{b}\u{c}\u{85}\u{2028}b""#],
    ),
    ("more blank lines say nothing", "\n\ndata: a\n\n\n\n", &[r#"message "a""#]),
];

const MARKS: &[Row] = &[
    ("a byte order mark", "\u{feff}data: a\n\n", &[r#"message "a""#]),
    ("only one", "\u{feff}\u{feff}data: a\n\n", &[r#"unknown "\u{feff}data: a""#]),
    ("only at the beginning", "data: a\n\n\u{feff}data: b\n\n", &[r#"message "a""#, r#"unknown "\u{feff}data: b""#]),
    ("in a value it is a character", "data: \u{feff}a\n\n", &[r#"message "\u{feff}a""#]),
    ("and nothing else", "\u{feff}", &[]),
    ("before a blank line", "\u{feff}\n\ndata: a\n\n", &[r#"message "a""#]),
];

const COMMENTS: &[Row] = &[
    ("alone", ": still here\n\n", &[]),
    ("of nothing", ":\n\n", &[]),
    ("between lines of data", "data: a\n: b\ndata: c\n\n", &[r#"message "a\nc""#]),
    ("that look like a field", ":data: a\n\n", &[]),
    ("do not end a message", "data: a\n:\n\n", &[r#"message "a""#]),
];

const FIELDS: &[Row] = &[
    ("no space", "data:a\n\n", &[r#"message "a""#]),
    ("one space", "data: a\n\n", &[r#"message "a""#]),
    ("two spaces", "data:  a\n\n", &[r#"message " a""#]),
    ("a tab", "data:\ta\n\n", &[r#"message "\ta""#]),
    ("spaces at the end", "data: a  \n\n", &[r#"message "a  ""#]),
    ("a space before the name", " data: a\n\n", &[r#"unknown " data: a""#]),
    ("a space behind the name", "data : a\n\n", &[r#"unknown "data : a""#]),
    ("further colons", "data: a:b: c\n\n", &[r#"message "a:b: c""#]),
    ("a colon as value", "data::\n\n", &[r#"message ":""#]),
    ("another case", "Data: a\nDATA: b\n\n", &[r#"unknown "Data: a""#, r#"unknown "DATA: b""#]),
    ("nobody's name", "time: now\ndata: a\n\n", &[r#"unknown "time: now""#, r#"message "a""#]),
    ("nobody's name without a colon", "hello\n\n", &[r#"unknown "hello""#]),
    ("a name that begins like another", "database: a\n\n", &[r#"unknown "database: a""#]),
    ("characters of several bytes", "data: é 🏔 王\n\n", &[r#"message "é 🏔 王""#]),
    ("NUL in data", "data: a\0b\n\n", &[r#"message "a\0b""#]),
];

const DATA: &[Row] = &[
    ("several lines", "data: a\ndata: b\ndata: c\n\n", &[r#"message "a\nb\nc""#]),
    ("an empty line among them", "data: a\ndata:\ndata: b\n\n", &[r#"message "a\n\nb""#]),
    ("empty, by the bare name", "data\n\n", &[r#"message """#]),
    ("empty, with a colon", "data:\n\n", &[r#"message """#]),
    ("empty, with a space", "data: \n\n", &[r#"message """#]),
    ("two empty lines", "data\ndata\n\n", &[r#"message "\n""#]),
    ("none", "event: a\nid: 1\n\n", &[]),
    ("behind the other fields, or before them", "data: a\nevent: x\nid: 1\n\n", &[r#"x "a" id "1""#]),
];

const EVENTS: &[Row] = &[
    ("names a type", "event: x\ndata: a\n\n", &[r#"x "a""#]),
    ("for one message", "event: x\ndata: a\n\ndata: b\n\n", &[r#"x "a""#, r#"message "b""#]),
    ("the last one counts", "event: x\nevent: y\ndata: a\n\n", &[r#"y "a""#]),
    ("empty, it names none", "event: x\nevent\ndata: a\n\n", &[r#"message "a""#]),
    ("without data it is forgotten", "event: x\n\ndata: a\n\n", &[r#"message "a""#]),
    ("of several words", "event: x y\ndata: a\n\n", &[r#"x y "a""#]),
];

const IDS: &[Row] = &[
    ("outlives its message", "id: 1\ndata: a\n\ndata: b\n\n", &[r#"message "a" id "1""#, r#"message "b" id "1""#]),
    ("needs no data", "id: 1\n\ndata: a\n\n", &[r#"message "a" id "1""#]),
    ("the last one counts", "id: 1\nid: 2\ndata: a\n\n", &[r#"message "a" id "2""#]),
    ("any text", "id: né: 1\ndata: a\n\n", &[r#"message "a" id "né: 1""#]),
    ("keeps a second space", "id:  1\ndata: a\n\n", &[r#"message "a" id " 1""#]),
    ("the bare name takes it away", "id: 1\ndata: a\n\nid\ndata: b\n\n", &[r#"message "a" id "1""#, r#"message "b""#]),
    ("an empty one as well", "id: 1\ndata: a\n\nid:\ndata: b\n\n", &[r#"message "a" id "1""#, r#"message "b""#]),
    (
        "with NUL it does not count",
        "id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n",
        &[r#"message "a" id "1""#, r#"message "b" id "1""#],
    ),
    ("nor does it hide one before it", "id: 1\nid: \0\ndata: a\n\n", &[r#"message "a" id "1""#]),
    ("counts at the blank line only", "data: a\n\nid: 1\n", &[r#"message "a""#]),
];

const RETRIES: &[Row] = &[
    ("a time", "retry: 3000\n\n", &["retry 3000"]),
    ("without a space", "retry:3000\n\n", &["retry 3000"]),
    ("zero", "retry: 0\n\n", &["retry 0"]),
    ("zeros before it", "retry: 0030\n\n", &["retry 30"]),
    ("counts at once", "retry: 3000\ndata: a", &["retry 3000", r#"unfinished "a""#]),
    ("nothing", "retry:\nretry\n\n", &[]),
    ("a sign", "retry: -1\nretry: +1\n\n", &[]),
    ("a fraction, a unit, an exponent", "retry: 1.5\nretry: 3s\nretry: 1e3\n\n", &[]),
    ("a second space", "retry:  3000\n\n", &[]),
    ("digits of another script", "retry: ٣\n\n", &[]),
    ("longer than anybody waits", "retry: 18446744073709551616\n\n", &[]),
    ("leaves the message alone", "data: a\nretry: 1\ndata: b\n\n", &["retry 1", r#"message "a\nb""#]),
];

/// The standard discards what no blank line ends. The parser hands it on, marked as such.
const ENDS: &[Row] = &[
    ("nothing", "", &[]),
    ("blank lines", "\n\r\n\r", &[]),
    ("in a name", "data: a\n\nda", &[r#"message "a""#, r#"unknown "da""#]),
    ("in a line", "data: a\n\ndata: b", &[r#"message "a""#, r#"unfinished "b""#]),
    ("behind a line", "data: a\n", &[r#"unfinished "a""#]),
    ("behind a carriage return", "data: a\r", &[r#"unfinished "a""#]),
    ("behind a pair", "data: a\r\n", &[r#"unfinished "a""#]),
    ("behind half of a blank pair", "data: a\r\n\r", &[r#"message "a""#]),
    ("without data", "event: x\nid: 1\n", &[]),
];

/// Whole streams, in which the rules meet.
const STREAMS: &[Row] = &[
    (
        "ids come, stay and go",
        ": begin\n\ndata: one\nid: 7\n\ndata: two\n\ndata:three\nid\n\ndata:  four\n",
        &[r#"message "one" id "7""#, r#"message "two" id "7""#, r#"message "three""#, r#"unfinished " four""#],
    ),
    ("bare names", "data\n\ndata\ndata\n\ndata:", &[r#"message """#, r#"message "\n""#, r#"unfinished """#]),
    ("a space or none", "data:a\n\ndata: a\n\n", &[r#"message "a""#, r#"message "a""#]),
    (
        "types for some",
        "event: add\ndata: 1\n\nevent: remove\ndata: 2\n\ndata: 3\n\n",
        &[r#"add "1""#, r#"remove "2""#, r#"message "3""#],
    ),
    (
        "everything at once",
        "\u{feff}retry: 10\r\n: hi\r\nid: 1\r\nevent: x\r\ndata: {\r\ndata:  \"a\": 1\r\ndata: }\r\nnote: n\r\n\r\n",
        &["retry 10", r#"unknown "note: n""#, r#"x "{\n \"a\": 1\n}" id "1""#],
    ),
];

/// What a client sees of a stream that comes in pieces.
fn seen(pieces: &[&[u8]]) -> Vec<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut seen = Vec::new();
    let mut take = |item: Item<'_>| {
        seen.push(match item {
            Item::Frame(frame) if frame.ending.is_none() => format!("unfinished {:?}", text(frame.data)),
            Item::Frame(frame) => {
                let named = frame.event.map(|field| text(field.value)).filter(|name| !name.is_empty());
                let message = format!("{} {:?}", named.as_deref().unwrap_or("message"), text(frame.data));
                match frame.last_event_id {
                    b"" => message,
                    id => format!("{message} id {:?}", text(id)),
                }
            }
            Item::Retry(time) => format!("retry {time}"),
            Item::UnknownField(line) => format!("unknown {:?}", text(line.value)),
            other => panic!("{other:?}"),
        });
    };
    let mut parser = Parser::new();
    for piece in pieces {
        parser.push(piece, &mut take);
    }
    parser.finish(&mut take);
    seen
}

/// A stream as a whole, byte by byte, and cut in two at every place.
fn cuts(stream: &[u8]) -> impl Iterator<Item = Vec<&[u8]>> {
    let in_two = (0..=stream.len()).map(move |at| vec![&stream[..at], &[], &stream[at..]]);
    [vec![stream], stream.chunks(1).collect()].into_iter().chain(in_two)
}

#[test]
fn clients_see_what_the_standard_says() {
    for rows in [LINE_ENDS, MARKS, COMMENTS, FIELDS, DATA, EVENTS, IDS, RETRIES, ENDS, STREAMS] {
        for (about, stream, expected) in rows {
            for pieces in cuts(stream.as_bytes()) {
                assert_eq!(seen(&pieces), *expected, "{about}: {stream:?} in {} pieces", pieces.len());
            }
        }
    }
}

/// What a client reconnects with, after each of these streams has broken off.
#[test]
fn the_last_id_is_that_of_the_last_whole_message() {
    for (stream, id) in [
        ("", ""),
        ("id: 1\ndata: a\n\n", "1"),
        ("id: 1\n\n", "1"),
        ("id: 1\ndata: a\n", ""),
        ("id: 1\ndata: a\n\nid: 2\ndata: b\n", "1"),
        ("id: 1\ndata: a\n\nid: 2\n\n", "2"),
        ("id: 1\ndata: a\n\nid\n\n", ""),
        ("id: 1\r\n\r", "1"),
    ] {
        for pieces in cuts(stream.as_bytes()) {
            let mut parser = Parser::new();
            for piece in pieces {
                parser.push(piece, |_| ());
            }
            parser.finish(|_| ());
            assert_eq!(String::from_utf8_lossy(parser.last_event_id()), id, "{stream:?}");
        }
    }
}

/// Findings of AG-UI in a stream that comes in pieces.
fn findings(framing: Framing, pieces: &[&[u8]]) -> Vec<Finding> {
    let mut stream = StreamChecker::of(Checker::new(Protocol::AGUI), framing);
    let mut found = Vec::new();
    for piece in pieces {
        found.extend(stream.push(piece).map(|found| Finding::clone(&found)));
    }
    found.extend(stream.finish().map(|found| Finding::clone(&found)));
    found
}

#[test]
fn headers_before_a_stream_are_passed_over_wherever_they_are_cut() {
    let event = r#"{"type":"RUN_STARTED","threadId":"t","runId":7}"#;
    for headers in [
        "",
        "HTTP/2 200\nserver: s\n\n",
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nserver: s\r\n\r\n",
    ] {
        for (framing, body) in [
            (Framing::Sse, format!("data: {event}\n\n")),
            (Framing::Ndjson, format!("{event}\n")),
            (Framing::Json, format!("[{event}]")),
        ] {
            let stream = format!("{headers}{body}");
            for pieces in cuts(stream.as_bytes()) {
                let found = findings(framing, &pieces);
                let rules: Vec<&str> = found.iter().map(|finding| finding.rule.id()).collect();
                assert_eq!(rules, ["agui/wrong-type", "agui/truncated-stream"], "{stream:?}");
                let place = found[0].location.map(|location| (location.offset, location.line));
                let (offset, lines) = (stream.find('7').unwrap() as u64, headers.matches('\n').count() as u64);
                assert_eq!(place, Some((offset, lines + 1)), "{stream:?}");
            }
        }
        for pieces in cuts(headers.as_bytes()) {
            let found = findings(Framing::Sse, &pieces);
            let rules: Vec<&str> = found.iter().map(|finding| finding.rule.id()).collect();
            assert_eq!(rules, ["agui/empty-stream"], "{headers:?}");
        }
    }
}
