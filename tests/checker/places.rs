//! Where findings are: event, line, column, bytes and path, in every framing.

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Code, Finding, Limits};
use agent_contracts::stream::{Framing, StreamChecker};
use agent_contracts::wire::span::Location;

/// A stream, and the place of the one finding that a rule has in it.
#[derive(Clone)]
struct Row {
    name: &'static str,
    protocol: Protocol,
    framing: Framing,
    limits: Limits,
    stream: String,
    rule: &'static str,
    event: Option<u64>,
    path: &'static str,
    /// The text right before it, and its own; `None` for the end of the stream.
    at: Option<(&'static str, &'static str)>,
    /// Another place: what is said of it, its event, and the text that begins there.
    related: Option<(&'static str, u64, &'static str)>,
}

const ROW: Row = Row {
    name: "",
    protocol: Protocol::AGUI,
    framing: Framing::Sse,
    limits: Limits::DEFAULT,
    stream: String::new(),
    rule: "",
    event: None,
    path: "$",
    at: None,
    related: None,
};

const BOM: char = '\u{FEFF}';
const RUN: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
/// In two parts, so that nobody takes it for a real one.
const TOKEN: &str = concat!("\"ghp", "_F4k3V9mQ2xT7bLz0RwE5sYh8NcJ1uKpDaG6i\"");

/// An event of Lime, and further members.
fn lime(number: u64, rest: &str) -> String {
    format!(
        r#"{{"id":"e{number}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","kind":"tool","status":"running","title":"größe 🏔","createdAt":"2026-06-10T08:00:00Z","sequence":{number},"threadId":"t","turnId":"u"{rest}}}"#
    )
}

/// An event of social-app, and further members.
fn social_app(kind: &str, rest: &str) -> String {
    format!(r#"{{"type":"{kind}","threadId":"t","runId":"r"{rest}}}"#)
}

/// A result of a tool of social-app.
fn social_app_result(result: &str) -> String {
    let call = r#""tool_name":"project_cli","tool_call_id":"c1","tool_call_args":null,"status":"success""#;
    social_app(
        "TOOL_CALL_RESULT",
        &format!(r#","messageId":"m","role":"tool","stage":"worker",{call},"result":{result}"#),
    )
}

/// The frame of a fragment of an event of Ubik.
fn ubik_fragment(index: u64, data: &str) -> String {
    format!(
        "data: {{\"type\":\"tool_update_delta_sse\",\"chunk_id\":\"c\",\"chunk_index\":{index},\"total_chunks\":2,\"original_event_type\":\"tool_update\",\"chunk_data\":\"{data}\"}}\n\n"
    )
}

/// An envelope of the task API.
fn envelope(idx: u64, kind: &str, data: &str) -> String {
    format!(
        r#"{{"idx":{idx},"type":"{kind}","data":{{"task_id":"t","conversation_id":"größe","workspace_id":"w"{data}}},"ts":1771061400.125}}"#
    )
}

/// The document with line breaks as Windows writes them.
fn crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

fn schema_rows() -> Vec<Row> {
    let wrong = Row { rule: "agui/wrong-type", event: Some(0), path: "$.runId", at: Some((r#""runId":"#, "7")), ..ROW };
    let in_several_lines =
        ": grüße\ndata: {\"type\":\"RUN_STARTED\",\ndata: \"threadId\":\"Höhe 🏔\",\"runId\":7\ndata: }\n\n";
    let pretty = "{\n  \"title\": \"größe\",\n  \"events\": [\n    {\n      \"type\": \"RUN_STARTED\",\n      \"threadId\": \"é\", \"runId\":7\n    }\n  ]\n}\n";
    vec![
        Row {
            name: "behind a byte order mark",
            stream: format!("{BOM}data: {{\"type\":\"RUN_STARTED\",\"threadId\":\"Höhe 🏔\",\"runId\":7}}\n\n"),
            ..wrong.clone()
        },
        Row { name: "in several data lines", stream: in_several_lines.into(), ..wrong.clone() },
        Row { name: "in several data lines, CRLF", stream: crlf(in_several_lines), ..wrong.clone() },
        Row { name: "in several data lines, CR", stream: in_several_lines.replace('\n', "\r"), ..wrong.clone() },
        Row {
            name: "behind HTTP headers",
            stream: format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{in_several_lines}"),
            ..wrong.clone()
        },
        Row {
            name: "in a pretty-printed document",
            framing: Framing::Json,
            stream: format!("{BOM}{pretty}"),
            ..wrong.clone()
        },
        Row {
            name: "in a pretty-printed document, CRLF",
            framing: Framing::Json,
            stream: crlf(pretty),
            ..wrong.clone()
        },
        Row {
            name: "in lines, CRLF, blank ones between",
            protocol: Protocol::LIME,
            framing: Framing::Ndjson,
            stream: format!("{BOM}{}\r\n\r\n{}\r\n", lime(1, ""), lime(2, r#","payload":[1]"#)),
            rule: "lime/payload-not-object",
            event: Some(1),
            path: "$.payload",
            at: Some((r#""payload":"#, "[1]")),
            ..ROW
        },
        Row {
            name: "in the data of a tool's frame",
            protocol: Protocol::UBIK,
            stream: "event: tool_update\ndata: {\"message\":\"größe 🏔\",\ndata: \"phase\":7}\n\n".into(),
            rule: "ubik/wrong-type",
            event: Some(0),
            path: "$.phase",
            at: Some((r#""phase":"#, "7")),
            ..ROW
        },
        Row {
            name: "in an event that came in two fragments",
            protocol: Protocol::UBIK,
            stream: format!(
                "{BOM}{}{}",
                ubik_fragment(0, r#"{\"type\":\"tool_update\",\"tool_execution_id\":\"größe\",\"tool_name\":7,\"da"#),
                ubik_fragment(1, r#"ta\":{},\"timestamp\":\"2026-03-12T14:02:11Z\"}"#)
            ),
            rule: "ubik/chunk-rebuilt-invalid",
            event: Some(1),
            path: "$.tool_name",
            at: Some((r#"\"tool_name\":"#, "7")),
            ..ROW
        },
        Row {
            name: "in an event of a pretty-printed response, CRLF",
            protocol: Protocol::POLLING,
            framing: Framing::Json,
            stream: crlf(&format!(
                "{{\n  \"success\": true,\n  \"data\": {{\n    \"task_id\": \"größe\",\n    \"events\": [\n      {},\n      {}\n    ]\n  }}\n}}\n",
                envelope(0, "ai_message_start", ""),
                envelope(1, "system_message", r#","content":7"#)
            )),
            rule: "polling/payload-wrong-type",
            event: Some(1),
            path: "$.data.events[1].data.content",
            at: Some((r#""content":"#, "7")),
            ..ROW
        },
        Row {
            name: "a member whose name is not ASCII",
            stream: format!("data: {RUN}\n\ndata: {{\"type\":\"RAW\",\"event\":{{\"é\":\"\\ud800\"}}}}\n\n"),
            rule: "input/lone-surrogate",
            event: Some(1),
            path: "$.event.é",
            at: Some((r#""é":"#, r#""\ud800""#)),
            ..ROW
        },
    ]
}

fn scope_rows() -> Vec<Row> {
    vec![
        Row {
            name: "no id: the class that asks for it",
            protocol: Protocol::LIME,
            framing: Framing::Ndjson,
            stream: crlf(&format!("{}\n", lime(1, r#","eventClass":"tool.started""#))),
            rule: "lime/tool-needs-tool-call-id",
            event: Some(0),
            path: "$.toolCallId",
            at: Some((r#""eventClass":"#, r#""tool.started""#)),
            ..ROW
        },
        Row {
            name: "an id that is null, in an array",
            protocol: Protocol::SOCIAL_APP,
            framing: Framing::Json,
            stream: format!(
                "[\n\n {},\n {{\"type\":\"RUN_ERROR\",\"threadId\":\"t\",\"message\":\"größe\",\"code\":null,\"runId\":null}}]",
                social_app("RUN_STARTED", "")
            ),
            rule: "social-app/run-id-missing",
            event: Some(1),
            path: "$.runId",
            at: Some((r#""runId":"#, "null")),
            ..ROW
        },
    ]
}

fn order_rows() -> Vec<Row> {
    let step = social_app("STEP_STARTED", r#","stepName":"router""#);
    vec![
        Row {
            name: "content of no message",
            stream: format!(
                "data: {RUN}\n\ndata: {{\"type\":\"TEXT_MESSAGE_CONTENT\",\"delta\":\"schön\",\"messageId\":\"m1\"}}\n\n"
            ),
            rule: "agui/text-content-without-start",
            event: Some(1),
            path: "$.messageId",
            at: Some((r#""messageId":"#, r#""m1""#)),
            ..ROW
        },
        Row {
            name: "opened before, in several data lines",
            stream: format!(
                "{BOM}data: {RUN}\n\n: ü\ndata: {{\"type\":\"TOOL_CALL_START\",\ndata: \"toolCallName\":\"ä\",\"toolCallId\":\"c1\"}}\n\ndata: {{\"type\":\"TOOL_CALL_START\",\"toolCallName\":\"ö\",\ndata: \"toolCallId\":\"c1\"}}\n\n"
            ),
            rule: "agui/tool-start-already-open",
            event: Some(2),
            path: "$.toolCallId",
            at: Some(("\"ö\",\ndata: \"toolCallId\":", r#""c1""#)),
            related: Some(("opened here", 1, "{\"type\":\"TOOL_CALL_START\",\ndata: \"toolCallName\":\"ä\"")),
            ..ROW
        },
        Row {
            name: "opened before, in the first of the lines",
            protocol: Protocol::LIME,
            framing: Framing::Ndjson,
            stream: format!(
                "{BOM}{}\r\n\r\n{}\r\n",
                lime(1, r#","eventClass":"tool.started","toolCallId":"c1""#),
                lime(2, r#","toolCallId":"c1","eventClass":"tool.started""#)
            ),
            rule: "lime/tool-started-already-active",
            event: Some(1),
            path: "$.toolCallId",
            at: Some((r#""turnId":"u","toolCallId":"#, r#""c1""#)),
            related: Some(("opened here", 0, r#"{"id":"e1""#)),
            ..ROW
        },
        Row {
            name: "left open, in an array",
            protocol: Protocol::SOCIAL_APP,
            framing: Framing::Json,
            stream: format!(
                "[\n  {},\n  {step}, {}\n]\n",
                social_app("RUN_STARTED", ""),
                social_app("RUN_FINISHED", r#","note":"größe""#)
            ),
            rule: "social-app/step-left-open",
            event: Some(2),
            at: Some((r#""type":"#, r#""RUN_FINISHED""#)),
            related: Some(("the step was started here", 1, r#"{"type":"STEP_STARTED""#)),
            ..ROW
        },
        Row {
            name: "at the end of the stream",
            protocol: Protocol::SOCIAL_APP,
            framing: Framing::Json,
            stream: format!("[\r\n\r\n  {}\r\n]\r\n", social_app("RUN_STARTED", "")),
            rule: "social-app/stream-without-terminal",
            related: Some(("the run began here", 0, r#"{"type":"RUN_STARTED""#)),
            ..ROW
        },
        Row {
            name: "a gap",
            protocol: Protocol::LIME,
            framing: Framing::Json,
            stream: format!("{BOM}[{},\n  {}]", lime(1, ""), lime(3, "")),
            rule: "lime/stream-sequence-gap",
            event: Some(1),
            path: "$.sequence",
            at: Some((r#""sequence":"#, "3")),
            ..ROW
        },
        Row {
            name: "a gap, in lines",
            protocol: Protocol::POLLING,
            framing: Framing::Ndjson,
            stream: crlf(&format!(
                "{BOM}{}\n{}\n",
                envelope(0, "ai_message_start", ""),
                envelope(3, "task_stopped", r#","message":"m","reason":"user_stop""#)
            )),
            rule: "polling/idx-gap",
            event: Some(1),
            path: "$.idx",
            at: Some((r#""idx":"#, "3")),
            ..ROW
        },
    ]
}

fn leak_rows() -> Vec<Row> {
    vec![
        Row {
            name: "a key",
            framing: Framing::Ndjson,
            stream: format!(
                "{BOM}{RUN}\r\n{{\"type\":\"CUSTOM\",\"name\":\"größe\",\"value\":{{\"nested\":[{{\"é\":1,\"password\":\"x\"}}]}}}}\r\n"
            ),
            rule: "agui/secret-key",
            event: Some(1),
            path: "$.value.nested[0].password",
            at: Some((r#""é":1,"#, r#""password""#)),
            ..ROW
        },
        Row {
            name: "a value",
            stream: format!(
                "data: {RUN}\n\ndata: {{\"type\":\"CUSTOM\",\"name\":\"größe\",\ndata: \"value\":{{\"nested\":[{{\"é\":{TOKEN}}}]}}}}\n\n"
            ),
            rule: "agui/secret-value",
            event: Some(1),
            path: "$.value.nested[0].é",
            at: Some((r#""é":"#, TOKEN)),
            ..ROW
        },
        Row {
            name: "a key in a text that is JSON: the text",
            protocol: Protocol::SOCIAL_APP,
            framing: Framing::Ndjson,
            stream: format!(
                "{}\n{}\n",
                social_app("RUN_STARTED", ""),
                social_app_result(r#""{\"größe\":{\"password\":1}}""#)
            ),
            rule: "social-app/secret-key",
            event: Some(1),
            path: "$.result",
            at: Some((r#""result":"#, r#""{\"größe\":{\"password\":1}}""#)),
            ..ROW
        },
    ]
}

fn size_rows() -> Vec<Row> {
    let mut limits = Limits::DEFAULT;
    limits.inline_units = 20;
    vec![
        Row {
            name: "a payload",
            protocol: Protocol::LIME,
            framing: Framing::Ndjson,
            limits,
            stream: lime(1, r#","payload":{"text":"üüüüüüüüüüüüüüüüüüüü"}"#),
            rule: "lime/payload-too-large",
            event: Some(0),
            path: "$.payload",
            at: Some((r#""payload":"#, r#"{"text":"üüüüüüüüüüüüüüüüüüüü"}"#)),
            ..ROW
        },
        Row {
            name: "a value on a line of its own",
            framing: Framing::Json,
            limits,
            stream: crlf(&format!(
                "[\n  {RUN},\n  {{\"type\":\"CUSTOM\",\"name\":\"größe\",\"value\":\n  [\"üüüüüüüüüüüüüüüüüüüü\"]}}]"
            )),
            rule: "agui/large-inline-value",
            event: Some(1),
            path: "$.value",
            at: Some(("\"value\":\r\n  ", "[\"üüüüüüüüüüüüüüüüüüüü\"]")),
            ..ROW
        },
    ]
}

#[allow(clippy::too_many_lines, reason = "a table")]
fn framing_rows() -> Vec<Row> {
    let started = social_app("RUN_STARTED", "");
    vec![
        Row {
            name: "an event line: the line itself",
            stream: format!("data: {RUN}\n\n: é\nevent: größe\ndata: {{\"type\":\"RAW\",\"event\":1}}\n\n"),
            rule: "agui/sse-extra-field",
            event: Some(1),
            at: Some(("event: ", "größe")),
            ..ROW
        },
        Row {
            name: "an id line without a space, behind the data",
            stream: crlf(&format!("data: {RUN}\n\n: é\ndata: {{\"type\":\"RAW\",\"event\":1}}\nid:é7\n\n")),
            rule: "agui/sse-extra-field",
            event: Some(1),
            at: Some(("id:", "é7")),
            ..ROW
        },
        Row {
            name: "an id line behind a byte order mark",
            protocol: Protocol::SOCIAL_APP,
            stream: format!("{BOM}id: ü-0\nevent: RUN_STARTED\ndata: {started}\n\n"),
            rule: "social-app/frame-id-form",
            event: Some(0),
            at: Some(("id: ", "ü-0")),
            ..ROW
        },
        Row {
            name: "an event line that says otherwise",
            protocol: Protocol::SOCIAL_APP,
            stream: format!("id: 1-0\nevent: größe\ndata: {started}\n\n"),
            rule: "social-app/frame-event-mismatch",
            event: Some(0),
            at: Some(("event: ", "größe")),
            ..ROW
        },
        Row {
            name: "no event line: the data",
            protocol: Protocol::SOCIAL_APP,
            stream: format!("{BOM}data: {started}\n\n"),
            rule: "social-app/frame-event-missing",
            event: Some(0),
            at: Some(("data: ", "")),
            ..ROW
        },
        Row {
            name: "a line that is no data line",
            stream: format!("data: {RUN}\n\n é: \n data: {{\"type\":\"RAW\",\"event\":1}}\n\n"),
            rule: "agui/sse-data-line-lost",
            at: Some((" é: \n", "")),
            ..ROW
        },
        Row {
            name: "a line whose field is written in capitals",
            stream: format!("data: {RUN}\n\nData: é\n\n"),
            rule: "agui/sse-data-line-lost",
            at: Some(("\"r\"}\n\n", "")),
            ..ROW
        },
        Row {
            name: "a line of JSON without a field",
            stream: format!("data: {RUN}\n\n{{\"type\":\"é\"}}\n\n"),
            rule: "agui/sse-data-line-lost",
            at: Some(("\"r\"}\n\n", "")),
            ..ROW
        },
        Row {
            name: "no JSON, in the second of the data lines",
            stream: format!("data: {RUN}\n\n: é\ndata: {{\"é\":1,\ndata: \"ü\":nope}}\n\n"),
            rule: "agui/frame-not-json",
            event: Some(1),
            path: "$.ü",
            at: Some(("\"ü\":n", "o")),
            ..ROW
        },
        Row {
            name: "no JSON, in an array",
            framing: Framing::Json,
            stream: format!("[\n  {RUN},\n  {{\"type\":\"RAW\",\"event\":\"é\"}}, nope]"),
            rule: "agui/frame-not-json",
            event: Some(2),
            at: Some((", n", "o")),
            ..ROW
        },
        Row {
            name: "no object",
            stream: format!("data: {RUN}\n\n: é\ndata:   [1]\n\n"),
            rule: "agui/frame-not-object",
            event: Some(1),
            at: Some(("data:   ", "[1]")),
            ..ROW
        },
        Row {
            name: "cut off in an event",
            framing: Framing::Ndjson,
            stream: format!("{RUN}\r\n{{\"event\":\"é\",\"type\":\"RA"),
            rule: "input/truncated",
            event: Some(1),
            path: "$.type",
            at: Some((r#""type":"RA"#, "")),
            ..ROW
        },
        Row {
            name: "cut off before a blank line",
            stream: format!("data: {RUN}\n\ndata: {{\"type\":\"RAW\",\"event\":\"é\"}}"),
            rule: "input/unterminated-frame",
            event: Some(1),
            at: Some((r#""event":"é"}"#, "")),
            ..ROW
        },
        Row {
            name: "nothing at all",
            protocol: Protocol::LIME,
            framing: Framing::Ndjson,
            stream: "\n\n".into(),
            rule: "input/empty",
            ..ROW
        },
    ]
}

fn limit_rows() -> Vec<Row> {
    let large = format!("{{\"type\":\"RAW\",\"event\":\"{}\"}}", "é".repeat(40));
    vec![
        Row {
            name: "too deep: the bracket",
            limits: Limits::DEFAULT.with_depth(3),
            stream: crlf(&format!("data: {RUN}\n\ndata: {{\"type\":\"RAW\",\ndata: \"event\":{{\"é\":[[1]]}}}}\n\n")),
            rule: "input/too-deep",
            event: Some(1),
            path: "$.event.é[0]",
            at: Some(("\"é\":[", "[")),
            ..ROW
        },
        Row {
            name: "a line that is too large: where it begins",
            framing: Framing::Ndjson,
            limits: Limits::DEFAULT.with_event_bytes(60),
            stream: format!("{BOM}{RUN}\n{large}\n"),
            rule: "input/too-large",
            event: Some(1),
            at: Some(("\"runId\":\"r\"}\n", "")),
            ..ROW
        },
        Row {
            name: "an element that is too large: its first byte",
            framing: Framing::Json,
            limits: Limits::DEFAULT.with_event_bytes(60),
            stream: format!("[{RUN},\n  {large}]"),
            rule: "input/too-large",
            event: Some(1),
            at: Some((",\n  ", "{")),
            ..ROW
        },
        Row {
            name: "a frame that is too large: where it begins",
            limits: Limits::DEFAULT.with_frame_bytes(60),
            stream: format!("data: {RUN}\n\n: é\ndata: {large}\n\n"),
            rule: "agui/sse-frame-too-large",
            event: Some(1),
            at: Some(("\"runId\":\"r\"}\n\n", "")),
            ..ROW
        },
    ]
}

fn type_rows() -> Vec<Row> {
    vec![
        Row {
            name: "a type of nobody, in an array",
            framing: Framing::Json,
            stream: format!("{BOM}[{RUN}, {{\"größe\": 1, \"type\": \"RUN_PAUSED\"}}]"),
            rule: "agui/unknown-event-type",
            event: Some(1),
            path: "$.type",
            at: Some((r#""type": "#, r#""RUN_PAUSED""#)),
            ..ROW
        },
        Row {
            name: "a class of nobody, in lines",
            protocol: Protocol::LIME,
            framing: Framing::Ndjson,
            stream: format!("{}\r\n", lime(1, r#","eventClass":"größe.neu""#)),
            rule: "lime/unknown-event-class",
            event: Some(0),
            path: "$.eventClass",
            at: Some((r#""eventClass":"#, r#""größe.neu""#)),
            ..ROW
        },
    ]
}

fn rows() -> Vec<Row> {
    let families = [schema_rows, scope_rows, order_rows, leak_rows, size_rows, framing_rows, limit_rows, type_rows];
    families.iter().flat_map(|rows| rows()).collect()
}

/// Offset, line and column.
type Place = (u64, u64, u64);

/// Where byte `at` is: CRLF, CR and LF end lines, and a byte order mark takes no column.
fn place(stream: &str, at: usize) -> Place {
    let before = stream[..at].trim_start_matches(BOM).replace("\r\n", "\n").replace('\r', "\n");
    let line = before.rsplit('\n').next().unwrap_or_default();
    (at as u64, 1 + before.matches('\n').count() as u64, 1 + line.chars().count() as u64)
}

fn place_of(location: Location) -> Place {
    (location.offset, location.line, location.column)
}

/// The byte at which the one occurrence of a text begins.
fn find(row: &Row, text: &str) -> usize {
    let found: Vec<usize> = row.stream.match_indices(text).map(|(at, _)| at).collect();
    let [at] = found[..] else { panic!("{}: {text:?} is at {found:?} of {:?}", row.rule, row.stream) };
    at
}

impl Row {
    /// The findings of its rule when the stream comes in pieces of so many bytes.
    fn findings(&self, piece: usize) -> Vec<Finding> {
        let checker = Checker::builder(&self.protocol).limits(self.limits).build();
        let mut stream = StreamChecker::of(checker, self.framing);
        let mut findings: Vec<Finding> = Vec::new();
        for bytes in self.stream.as_bytes().chunks(piece) {
            findings.extend(stream.push(bytes).map(|found| Finding::clone(&found)));
        }
        findings.extend(stream.finish().map(|found| Finding::clone(&found)));
        findings.retain(|finding| finding.rule.id() == self.rule);
        findings
    }

    fn check(&self, finding: &Finding) {
        let name = format!("{}, {}", self.rule, self.name);
        let at = self.at.map(|(before, text)| {
            let start = find(self, &format!("{before}{text}")) + before.len();
            (place(&self.stream, start), start as u64..(start + text.len()) as u64)
        });
        assert_eq!(finding.event, self.event, "event of {name}");
        assert_eq!(finding.location.map(place_of), at.clone().map(|(place, _)| place), "place of {name}");
        assert_eq!(finding.bytes, at.map(|(_, bytes)| bytes), "bytes of {name}");
        assert_eq!(finding.path, self.path, "path of {name}");
        let related: Vec<_> = finding
            .related
            .iter()
            .map(|related| (related.message.as_str(), related.event, place_of(related.location)))
            .collect();
        let expected: Vec<_> = self
            .related
            .iter()
            .map(|(message, event, text)| (*message, Some(*event), place(&self.stream, find(self, text))))
            .collect();
        assert_eq!(related, expected, "other places of {name}");
    }
}

#[test]
fn findings_are_where_their_text_is() {
    for row in rows() {
        for piece in [usize::MAX, 1] {
            let findings = row.findings(piece);
            let [finding] = &findings[..] else { panic!("{}, {}: {findings:?}", row.rule, row.name) };
            row.check(finding);
        }
    }
}

#[test]
fn every_family_has_a_row() {
    let codes: Vec<Code> = rows().iter().flat_map(|row| row.findings(usize::MAX)).map(|found| found.code()).collect();
    for code in Code::ALL {
        assert!(codes.contains(code), "no row has a finding of {code}");
    }
}

#[test]
fn findings_are_written_and_read_again() {
    let found: Vec<Finding> = rows().iter().flat_map(|row| row.findings(usize::MAX)).collect();
    let written = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Finding>>(&written).unwrap(), found);
    let first: serde_json::Value = serde_json::to_value(&found[0]).unwrap();
    assert_eq!(first["rule"], found[0].rule.id());
    assert_eq!(first["severity"], found[0].severity.as_str());
    let unknown = written.replacen(found[0].rule.id(), "lime/made-up", 1);
    let error = serde_json::from_str::<Vec<Finding>>(&unknown).unwrap_err().to_string();
    assert!(error.starts_with("there is no built-in rule of that id"), "{error}");
}
