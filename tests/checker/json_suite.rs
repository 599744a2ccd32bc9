//! JSON texts of every kind that readers disagree over: the checker, typed decoding and opaque
//! values take what RFC 8259 calls JSON and refuse everything else.
//!
//! serde_json has the same opinion of every text, but for those in [`BEYOND_SERDE`].

use agent_contracts::Protocol;
use agent_contracts::agui::{Custom, Event};
use agent_contracts::check::{Checker, Input, Profile};
use agent_contracts::wire::{ErrorKind, Json};
use serde_json::Value;

/// Texts by what they are about.
type Texts = &'static [(&'static str, &'static [&'static str])];

const ACCEPTED: Texts = &[
    ("literals", &["null", "true", "false"]),
    (
        "white space",
        &[
            " 1",
            "1 ",
            "\t1\n",
            "\r\n1\r\n",
            " [ ] ",
            " { } ",
            "[ 1 , 2 ]",
            "{ \"a\" : 1 , \"b\" : 2 }",
            "\n\n[\n]\n",
            "[\r1\r]",
            "{\t\"a\"\t:\t1\t}",
        ],
    ),
    ("numbers", &["0", "-0", "1", "-1", "10", "123456789", "0.0", "-0.0", "0.5", "1.50", "1.0", "123.456789", "20e1"]),
    (
        "exponents",
        &["1e5", "1E5", "1e+5", "1e-5", "1E+05", "0e0", "0e1", "0E-1", "-0e+1", "1.5e300", "1e00000000000000000005"],
    ),
    (
        "numbers of which doubles keep a part",
        &[
            "9007199254740993",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775808",
            "-9223372036854775809",
            "100000000000000000000000000000",
            "0.10000000000000000000000000000000001",
            "3.141592653589793238462643383279",
            "1.7976931348623157e308",
            "4.9e-324",
            "1e-400",
            "0.1e-4000",
            "1e-99999999999999999999",
            "0e99999999999999999999",
        ],
    ),
    (
        "characters",
        &[
            "\"\"",
            "\"a\"",
            "\" \"",
            "\"é\"",
            "\"🏔\"",
            "\"'\"",
            "\"/\"",
            "\"[]{}:,//#\"",
            "\"\u{7f}\"",
            "\"\u{80}\"",
            "\"\u{a0}\"",
            "\"\u{2028}\u{2029}\"",
            "\"\u{feff}\"",
            "\"\u{fffe}\u{ffff}\"",
            "\"\u{10ffff}\"",
        ],
    ),
    (
        "escapes",
        &[
            r#""\"""#,
            r#""\\""#,
            r#""\/""#,
            r#""\b\f\n\r\t""#,
            r#""\\n""#,
            r#""\\u0041""#,
            r#""\u0041""#,
            r#""a\u0062c""#,
            r#""\u0022""#,
            r#""\u005C""#,
            r#""\u0000""#,
            r#""\u001f""#,
            r#""\u00e9""#,
            r#""\u00E9""#,
            r#""\u2028""#,
            r#""\ufffe""#,
            r#""\uFFFF""#,
            r#""\ud83c\udfd4""#,
            r#""\uD83C\uDFD4""#,
            r#""\ud800\udc00""#,
            r#""\udbff\udfff""#,
        ],
    ),
    (
        "arrays",
        &[
            "[]",
            "[[]]",
            "[null]",
            "[1,2,3]",
            "[\"\"]",
            "[\"a\",1,true,null,{},[]]",
            "[[[[[]]]]]",
            "[1,[2,[3]]]",
            "[-1,-0,0.5e1]",
            "[{\"a\":[{}]}]",
        ],
    ),
    (
        "objects",
        &[
            "{}",
            r#"{"a":1}"#,
            r#"{"":0}"#,
            r#"{" ":1}"#,
            r#"{"a b":1}"#,
            r#"{"1":1}"#,
            r#"{"é":1}"#,
            r#"{"a\nb":1}"#,
            r#"{"\u0000":1}"#,
            r#"{"a":{},"b":[]}"#,
            r#"{"a":{"b":{"c":null}}}"#,
            r#"{"a":"b:c,d}"}"#,
            r#"{"__proto__":{}}"#,
        ],
    ),
    ("repeated names", &[r#"{"a":1,"a":2}"#, r#"{"a":1,"a":1}"#, r#"{"a":1,"\u0061":2}"#]),
];

const REFUSED: Texts = &[
    ("nothing", &["", " ", "\n"]),
    (
        "arrays",
        &[
            "[",
            "]",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "[,]",
            "[1,,2]",
            "[1 2]",
            "[true false]",
            "[1:2]",
            "[1}",
            "[}",
            "[[]",
            "[]]",
            "[1],",
            "[1]x",
            "[\n1",
            "[-]",
            "[*]",
            "[ , \"\"]",
            "[\"a\"",
            "[\"a\",\n4\n,1,",
            "[3[4]]",
            "[...[]]",
        ],
    ),
    (
        "objects",
        &[
            "{",
            "}",
            "{]",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":1,}",
            "{,}",
            "{,\"a\":1}",
            "{\"a\"}",
            "{\"a\":}",
            "{:1}",
            "{\"a\" 1}",
            "{\"a\"=1}",
            "{\"a\"::1}",
            "{\"a\":,}",
            "{\"a\",1}",
            "{\"a\":1,,\"b\":2}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":1;\"b\":2}",
            "{\"a\":\"b\",\"c\"}",
            "{\"a\":a b}",
            "{\"a\":1}}",
            "{\"a\":1]",
            "{[1]:2}",
        ],
    ),
    ("names that are no strings", &["{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{{}:1}", "{\"a\":1,b:2}"]),
    (
        "literals",
        &[
            "nul",
            "nulL",
            "Null",
            "NULL",
            "nullx",
            "tru",
            "True",
            "TRUE",
            "truth",
            "fals",
            "falsey",
            "undefined",
            "NaN",
            "nan",
            "Infinity",
            "-Infinity",
            "inf",
            "None",
            "yes",
        ],
    ),
    (
        "numbers",
        &[
            "01", "-01", "00", "007", "+1", "++1", "-", "--1", "-a", "- 1", ".5", "-.5", "1.", "-1.", "1.e1", ".e1",
            "1..2", "1.2.3", "1_000", "1,000", "1 000", "1/2", "0x1F", "-0x1", "0b1", "0o7", "1f", "1L", "12a", "٣",
            "１", "½", "∞",
        ],
    ),
    ("exponents", &["1e", "1E", "0e", "1e+", "1e-", "1e+-1", "1e1.5", "1ee2", "1e1e1", "1e٣", "0.e1"]),
    (
        "strings that have no end, or no beginning",
        &["\"", "\"a", "a\"", "\"\\\"", "\"\\", "\"\"\"", "\"a\"b\"", "\"a\" \"b\"", "\"a\" + \"b\"", "\\\"a\\\""],
    ),
    ("other quotes", &["a", "'a'", "`a`", "“a”"]),
    (
        "escapes",
        &[
            r#""\x41""#,
            r#""\a""#,
            r#""\v""#,
            r#""\'""#,
            r#""\0""#,
            r#""\ ""#,
            r#""\u""#,
            r#""\u1""#,
            r#""\u12""#,
            r#""\u123""#,
            r#""\u123g""#,
            r#""\u00G0""#,
            r#""\u 123""#,
            r#""\u+123""#,
            r#""\u{41}""#,
            r#""\U0041""#,
            r#""\ud83c\u""#,
            r#""\ud83c\u1""#,
            r#""\ud83c\x""#,
            r#""\é""#,
            r#""\🏔""#,
            "\"\\\n\"",
        ],
    ),
    (
        "control characters",
        &["\"a\nb\"", "\"a\rb\"", "\"a\tb\"", "\"a\0b\"", "\"\u{1}\"", "\"\u{1f}\"", "\0", "[]\0", "1\u{1b}[0m"],
    ),
    (
        "other white space",
        &["\u{a0}1", "1\u{a0}", "\u{b}1", "[1\u{c}]", "\u{85}1", "\u{2028}1", "\u{3000}[]", "\u{200b}1", "\u{1e}{}"],
    ),
    ("byte order marks", &["\u{feff}", "\u{feff}{}", "{}\u{feff}", "[\u{feff}]"]),
    ("UTF-16", &["\0[\0]", "[\0]\0"]),
    ("comments", &["//", "1//x", "/**/1", "1 /*x*/", "# x\n1", "{\"a\":1/**/}", "{/**/\"a\":1}", "{\"a\":1}#"]),
    (
        "several values, and what is none",
        &[
            "1 2",
            "null null",
            "{} {}",
            "[] []",
            "{}[]",
            "[],",
            ",",
            ":",
            "\"a\":1",
            "<a>",
            "()",
            "&",
            "$",
            "\\",
            "\\u0031",
            "1;",
            "=1",
            "data: {}",
        ],
    ),
];

/// What is JSON by its grammar, and what serde_json has no value for: numbers beyond a double,
/// and strings that no Rust string can hold.
const BEYOND_SERDE: Texts = &[
    (
        "numbers",
        &["1e400", "-1e400", "1.8e308", "123123e100000", "1e99999999999999999999", "[1e999]", r#"{"a":1e309}"#],
    ),
    (
        "lone surrogates",
        &[
            r#""\ud800""#,
            r#""\udc00""#,
            r#""\uD83D""#,
            r#""a\uDFFF""#,
            r#""\ud800a""#,
            r#""\ud800\n""#,
            r#""\ud800\u0041""#,
            r#""\ud800\ud800""#,
            r#""\udc00\ud800""#,
            r#"["\udead"]"#,
            r#"{"\ud800":1}"#,
        ],
    ),
];

/// Bytes that are no UTF-8, whatever else is around them.
const NOT_UTF8: &[(&str, &[&[u8]])] = &[
    (
        "in a string",
        &[
            b"\"\xff\"",
            b"\"\x80\"",
            b"\"\xe9\"",
            b"\"\xe2\x82\"",
            b"\"\xc0\xaf\"",
            b"\"\xe0\x80\xaf\"",
            b"\"\xed\xa0\x80\"",
            b"\"\xed\xa0\xbc\xed\xbf\x94\"",
            b"\"\xf4\x90\x80\x80\"",
            b"\"\xfc\x83\xbf\xbf\xbf\xbf\"",
            b"\"\\\xe9\"",
        ],
    ),
    ("in a name", &[b"{\"\xe9\":1}"]),
    ("between values", &[b"[\xff]", b"1\xa0", b"\xff", b"[1,\xe2]", b"{\xe9:1}"]),
    ("UTF-16", &[b"\xff\xfe[\0]\0", b"\xfe\xff\0[\0]", b"\0[\0\"\0\xe9\0\"\0]"]),
];

fn rows<T: Copy>(table: &[(&'static str, &[T])]) -> Vec<(&'static str, T)> {
    table.iter().flat_map(|(about, texts)| texts.iter().map(move |text| (*about, *text))).collect()
}

/// The rules that a text breaks as an event, on either path.
fn rules(protocol: &Protocol, text: &[u8]) -> Vec<String> {
    let found = |exact: bool| {
        let mut checker = Checker::builder(protocol).profile(Profile::Schema).exact(exact).build();
        let findings = checker.push(Input::event_bytes(text));
        findings.iter().map(|finding| finding.rule.id().to_owned()).collect::<Vec<_>>()
    };
    let (fast, slow) = (found(false), found(true));
    assert_eq!(fast, slow, "{}", String::from_utf8_lossy(text));
    fast
}

/// An event in which the text is an opaque value.
fn event_with(value: &str) -> String {
    format!(r#"{{"type":"CUSTOM","name":"n","value":{value}}}"#)
}

/// The opaque value of such an event.
fn decoded(text: &str) -> Result<Custom, ErrorKind> {
    match Event::from_json(text) {
        Ok(Event::Custom(custom)) => Ok(custom),
        Ok(other) => panic!("{} of {text}", other.tag()),
        Err(error) => Err(error.kind()),
    }
}

/// Whether every reader of the crate takes the text, and hands on what is between white space.
fn assert_is_read(about: &str, text: &str) {
    let value = text.trim_matches([' ', '\t', '\n', '\r']);
    let json = Json::parse(text).unwrap_or_else(|error| panic!("{about}: {error}: {text:?}"));
    assert_eq!(json.as_str(), value, "{about}");
    let found = rules(&Protocol::LIME, text.as_bytes());
    assert!(!found.iter().any(|rule| rule.starts_with("input/")), "{about}: {found:?}: {text:?}");

    let event = event_with(text);
    let found = rules(&Protocol::AGUI, event.as_bytes());
    assert!(found.is_empty(), "{about}: {found:?}: {text:?}");
    let custom = decoded(&event).unwrap_or_else(|error| panic!("{about}: {error}: {text:?}"));
    assert_eq!(custom.value.as_str(), value, "{about}");
    let written = Event::from(custom).to_json();
    if value.contains(['\n', '\r']) {
        // On one line.
        assert!(!written.contains(['\n', '\r']), "{about}: {written}");
        assert_eq!(decoded(&written).unwrap().value, json, "{about}");
    } else {
        assert_eq!(written, event_with(value), "{about}");
    }
}

#[test]
fn what_is_json_is_read() {
    for (about, text) in rows(ACCEPTED) {
        let theirs: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{about}: {error}: {text:?}"));
        assert_is_read(about, text);
        let json = Json::parse(text).unwrap();
        assert_eq!(json.as_string().as_deref(), theirs.as_str(), "{about}: {text:?}");
        assert_eq!((json.is_null(), json.is_object()), (theirs.is_null(), theirs.is_object()), "{about}: {text:?}");
    }
}

#[test]
fn what_is_not_json_is_refused() {
    for (about, text) in rows(REFUSED) {
        assert!(serde_json::from_str::<Value>(text).is_err(), "{about}: {text:?}");
        let kind = Json::parse(text).map_err(|error| error.kind());
        assert!(matches!(kind, Err(ErrorKind::Syntax(_))), "{about}: {kind:?}: {text:?}");
        assert_eq!(rules(&Protocol::LIME, text.as_bytes()), ["input/not-json"], "{about}: {text:?}");

        let event = event_with(text);
        let kind = decoded(&event);
        assert!(matches!(kind, Err(ErrorKind::Syntax(_))), "{about}: {kind:?}: {text:?}");
        assert_eq!(rules(&Protocol::AGUI, event.as_bytes()), ["agui/frame-not-json"], "{about}: {text:?}");
    }
}

#[test]
fn what_is_json_beyond_what_serde_json_holds_is_read_as_text() {
    for (about, text) in rows(BEYOND_SERDE) {
        assert!(serde_json::from_str::<Value>(text).is_err(), "{about}: {text:?}");
        assert_is_read(about, text);
        // As the name of an event, which has to be a Rust string.
        let named = format!(r#"{{"type":"CUSTOM","name":{text},"value":1}}"#);
        let kind = decoded(&named);
        match about {
            "lone surrogates" if text.starts_with('"') => assert_eq!(kind, Err(ErrorKind::LoneSurrogate), "{text:?}"),
            _ => assert!(matches!(kind, Err(ErrorKind::Type(_))), "{about}: {kind:?}: {text:?}"),
        }
    }
}

#[test]
fn what_is_not_utf8_is_refused_as_such() {
    for (about, bytes) in rows(NOT_UTF8) {
        assert!(serde_json::from_slice::<Value>(bytes).is_err(), "{about}: {bytes:?}");
        for protocol in Protocol::ALL {
            assert_eq!(rules(protocol, bytes), ["input/not-utf8"], "{protocol}, {about}: {bytes:?}");
        }
    }
}

/// What is nested 128 levels is read; serde_json gives up one level earlier.
#[test]
fn what_is_nested_too_deeply_is_refused_as_such() {
    for (levels, by_serde, by_us) in [(127, true, true), (128, false, true), (129, false, false), (5000, false, false)]
    {
        let nested = |open: &str, inner: &str, close: &str| {
            [open.repeat(levels - 1).as_str(), inner, close.repeat(levels - 1).as_str()].concat()
        };
        for text in [nested("[", "[]", "]"), nested(r#"{"a":"#, "{}", "}")] {
            assert_eq!(serde_json::from_str::<Value>(&text).is_ok(), by_serde, "{levels}");
            assert_eq!(Json::parse(&text).is_ok(), by_us, "{levels}");
            let is_refused = rules(&Protocol::LIME, text.as_bytes()) == ["input/too-deep"];
            assert_eq!(is_refused, !by_us, "{levels}");
        }
    }
}
