//! The tags of Ubik message text: what they mean, what is wrong with them, and that nothing
//! is lost of any text.

use agent_contracts::ubik::markup::{
    Body, FaultKind, LABEL_BYTES, Markup, Node, Parser, ParserLimits, Piece, Span, TagKind, contains_text,
    without_structure,
};
use agent_contracts::wire::Json;
use proptest::prelude::*;
use proptest::sample::select;

/// The samples of the message structure guide.
const STEP: &str =
    "<<STEP_START>>\nStep 1: Analyzing the user request ✓\nI will now look up the information.\n<<STEP_END>>";
const TOOL: &str = "<<TOOL_STEP_START/web_search:call_123abc>>\n<<TOOL_STEP_INPUT_START>>\n{\"query\": \"current weather in Paris\"}\n<<TOOL_STEP_INPUT_END>>\n<<TOOL_STEP_RESULT_START>>\n{\"temperature\": \"15°C\", \"condition\": \"Cloudy\"}\n<<TOOL_STEP_RESULT_END>>\n<<TOOL_STEP_END/web_search:call_123abc>>";
const CHECKPOINT: &str = "<<CHECKPOINT_START>>\nCheckpoint: step1_completed\n<<CHECKPOINT_END>>";
const QUESTION: &str = "<<INPUT_REQUIRED_START>>\nPlease provide your email address.\nExpected input types: text\ncheckpoint_name: wait_for_email\n<<INPUT_REQUIRED_END>>";
const ANSWERED: &str = "<<INPUT_REQUIRED_START>>\nPlease provide your email address.\nExpected input types: text\n\n<<USER_INPUT_PROVIDED_START>>\n{\"input\": \"user@example.com\", \"type\": \"text\"}\n<<USER_INPUT_PROVIDED_END>>\n<<INPUT_REQUIRED_END>>";
const ERROR: &str = "<<ERROR_START>>\nError: Tool execution failed\n<<ERROR_END>>\n\n<<ERROR_JSON_START>>\n{\n  \"error\": \"Tool execution failed\",\n  \"traceback\": \"...\",\n  \"timestamp\": \"2023-10-27T10:00:00Z\"\n}\n<<ERROR_JSON_END>>";
const THINKING: &str = "<<thinking>>\nThe user is asking for weather data. I should use the weather tool.\n<</thinking>>\nI will check the weather for Paris.";

const SAMPLES: [&str; 7] = [STEP, TOOL, CHECKPOINT, QUESTION, ANSWERED, ERROR, THINKING];

/// A message with every block.
fn everything() -> String {
    let second = TOOL.replace("call_123abc", "call_2");
    format!(
        "<<STEP_START>>\nStep 1: Look up ✓\n<<SINGLE_STEP_FLAG>>\n{THINKING}\n{TOOL}\n{second}\n<<STEP_END>>\n\n\
         {CHECKPOINT}\n{ANSWERED}\n{ERROR}\nBye."
    )
}

/// The tree in words.
fn outline(nodes: &[Node]) -> String {
    let words: Vec<String> = nodes
        .iter()
        .map(|node| {
            let name = match node {
                Node::Text(_) => "text",
                Node::Step(_) => "step",
                Node::SingleStepFlag(_) => "flag",
                Node::Thinking(_) => "thinking",
                Node::Tool(_) => "tool",
                Node::ToolInput(_) => "input",
                Node::ToolResult(_) => "result",
                Node::Checkpoint(_) => "checkpoint",
                Node::InputRequired(_) => "question",
                Node::UserInput(_) => "answer",
                Node::Error(_) => "error",
                Node::ErrorJson(_) => "details",
                Node::ToolEvent(_) => "marker",
                Node::StrayEnd(..) => "stray",
                _ => "other",
            };
            match node.block() {
                Some(block) => format!("{name}({})", outline(&block.children)),
                None => name.to_owned(),
            }
        })
        .collect();
    words.join(" ")
}

#[test]
fn samples_of_the_guide() {
    for (text, expected) in [
        (STEP, "step(text)"),
        (TOOL, "tool(text input text result text)"),
        (CHECKPOINT, "checkpoint(text)"),
        (QUESTION, "question(text)"),
        (ANSWERED, "question(text answer text)"),
        (ERROR, "error(text) text details"),
        (THINKING, "thinking(text) text"),
    ] {
        let markup = Markup::parse(text);
        assert_eq!(outline(markup.nodes()), expected, "{text}");
        assert_eq!(markup.faults(), [], "{text}");
        assert_eq!(markup.to_string(), text);
    }
    let all = Markup::parse(&everything());
    let step = "step(text flag text thinking(text) text tool(text input text result text) text \
                tool(text input text result text) text)";
    assert_eq!(
        outline(all.nodes()),
        format!("{step} text checkpoint(text) text question(text answer text) text error(text) text details text")
    );
    assert_eq!(all.faults(), []);
    assert_eq!(all.walk().count(), 35);
}

fn text(piece: Option<&Piece>) -> Option<&str> {
    piece.map(Piece::as_str)
}

#[test]
fn blocks_say_what_they_hold() {
    let all = Markup::parse(&everything());
    let member = |json: Option<Json>, name: &str| json?.get(name)?.as_string();
    let mut seen = 0;
    for node in all.walk() {
        match node {
            Node::Step(step) => {
                assert_eq!(text(step.title.as_ref()), Some("Step 1: Look up ✓"));
                assert!(step.is_done() && step.single_step_flag);
            }
            Node::Tool(tool) => {
                assert_eq!(tool.name.as_str(), "web_search");
                assert!(["call_123abc", "call_2"].contains(&tool.id.as_str()));
                let query = member(tool.input().and_then(Body::json), "query");
                assert_eq!(query.as_deref(), Some("current weather in Paris"));
                let condition = member(tool.result().and_then(Body::json), "condition");
                assert_eq!(condition.as_deref(), Some("Cloudy"));
            }
            Node::Checkpoint(checkpoint) => assert_eq!(text(checkpoint.name.as_ref()), Some("step1_completed")),
            Node::InputRequired(question) => {
                assert_eq!(text(question.prompt.as_ref()), Some("Please provide your email address."));
                assert_eq!(question.input_types().collect::<Vec<_>>(), ["text"]);
                assert_eq!(question.checkpoint_name, None);
                let answer = member(question.answer().and_then(Body::json), "input");
                assert_eq!(answer.as_deref(), Some("user@example.com"));
            }
            Node::Error(error) => assert_eq!(text(error.message.as_ref()), Some("Tool execution failed")),
            Node::ErrorJson(body) => {
                assert_eq!(member(body.json(), "timestamp").as_deref(), Some("2023-10-27T10:00:00Z"));
            }
            _ => continue,
        }
        seen += 1;
    }
    assert_eq!(seen, 7);

    let waiting = Markup::parse(&QUESTION.replace("types: text", "types: text, json"));
    let [Node::InputRequired(question)] = waiting.nodes() else { panic!() };
    assert_eq!(text(question.checkpoint_name.as_ref()), Some("wait_for_email"));
    assert_eq!(question.input_types().collect::<Vec<_>>(), ["text", "json"]);
    assert!(question.answer().is_none());
}

#[test]
fn names_and_ids_of_tools() {
    for (label, name, id) in
        [("a:b", "a", "b"), ("a:b:c", "a", "b:c"), ("a", "a", ""), (":b", "", "b"), ("a>b:c", "a>b", "c")]
    {
        let markup = Markup::parse(&format!("<<TOOL_STEP_START/{label}>>x<<TOOL_STEP_END/{label}>>"));
        let [Node::Tool(tool)] = markup.nodes() else { panic!("{label}") };
        assert_eq!((tool.name.as_str(), tool.id.as_str()), (name, id), "{label}");
        assert_eq!(markup.faults(), [], "{label}");
    }
    let long = format!("<<TOOL_STEP_START/{}>>", "x".repeat(LABEL_BYTES + 1));
    for text in ["<<TOOL_STEP_START>>", "<<TOOL_STEP_START/a\n:b>>", "<<TOOL_STEP_START/a", long.as_str()] {
        assert_eq!(outline(Markup::parse(text).nodes()), "text", "{text}");
    }
}

#[test]
fn faults() {
    use FaultKind::{BodyNotJson, EndWithoutStart, Misplaced, TemporaryStored, ToolMismatch, Unclosed};
    use TagKind as Tag;
    type Faults<'a> = &'a [(FaultKind, TagKind, &'a str)];
    let cases: &[(&str, &str, Faults<'_>)] = &[
        ("a << b, c >> d, <<STEP>> and <<STEP_EN", "text", &[]),
        (
            "<<STEP_START>>A<<thinking>>B<<STEP_END>>",
            "step(text thinking(text))",
            &[(Unclosed, Tag::ThinkingStart, "<<thinking>>")],
        ),
        (
            "<<STEP_START>>A<<thinking>>B<<STEP_END>>C<</thinking>>",
            "step(text thinking(text)) text stray",
            &[(Unclosed, Tag::ThinkingStart, "<<thinking>>")],
        ),
        (
            "<<STEP_START>>A\n<<STEP_START>>B<<STEP_END>>",
            "step(text) step(text)",
            &[(Unclosed, Tag::StepStart, "<<STEP_START>>")],
        ),
        ("A<<STEP_END>>B", "text stray text", &[(EndWithoutStart, Tag::StepEnd, "<<STEP_END>>")]),
        (
            "<<TOOL_STEP_START/a:1>><<TOOL_STEP_END/a:2>>",
            "tool()",
            &[(ToolMismatch, Tag::ToolStepEnd, "<<TOOL_STEP_END/a:2>>")],
        ),
        (
            "<<TOOL_STEP_START/a:1>><<TOOL_STEP_START/b:2>><<TOOL_STEP_END/a:1>><<TOOL_STEP_END/b:2>>",
            "tool() tool(stray)",
            &[(Unclosed, Tag::ToolStepStart, "<<TOOL_STEP_START/a:1>>")],
        ),
        ("<<ERROR_JSON_START>>oh<<ERROR_JSON_END>>", "details", &[(BodyNotJson, Tag::ErrorJsonStart, "oh")]),
        (
            "<<TOOL_STEP_START/a:1>><<TOOL_STEP_RESULT_START>>{\"t\":\"<<TOOL_STEP_RESULT_END>>\"}\
             <<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/a:1>>",
            "tool(result text stray)",
            &[(BodyNotJson, Tag::ToolStepResultStart, "{\"t\":\"")],
        ),
        (
            "<<TOOL_STEP_START/a:1>><<TOOL_STEP_RESULT_START>>1<<TOOL_STEP_RESULT_END>>\
             <<TOOL_STEP_INPUT_START>>2<<TOOL_STEP_INPUT_END>><<TOOL_STEP_END/a:1>>",
            "tool(result input)",
            &[(Misplaced, Tag::ToolStepResultStart, "<<TOOL_STEP_RESULT_START>>")],
        ),
        (
            "<<TOOL_STEP_INPUT_START>>2<<TOOL_STEP_INPUT_END>>",
            "input",
            &[(Misplaced, Tag::ToolStepInputStart, "<<TOOL_STEP_INPUT_START>>")],
        ),
        (
            "<<USER_INPUT_PROVIDED_START>>{}<<USER_INPUT_PROVIDED_END>>",
            "answer",
            &[(Misplaced, Tag::UserInputProvidedStart, "<<USER_INPUT_PROVIDED_START>>")],
        ),
        ("<<SINGLE_STEP_FLAG>>", "flag", &[(Misplaced, Tag::SingleStepFlag, "<<SINGLE_STEP_FLAG>>")]),
        (
            "A<<TOOL_EVENT_START>>B",
            "text marker text",
            &[(TemporaryStored, Tag::ToolEventStart, "<<TOOL_EVENT_START>>")],
        ),
        (
            "<<TOOL_STEP_INPUT_START>>2<<TOOL_EVENT_START>><<STEP_START>>",
            "input marker step()",
            &[
                (Misplaced, Tag::ToolStepInputStart, "<<TOOL_STEP_INPUT_START>>"),
                (Unclosed, Tag::ToolStepInputStart, "<<TOOL_STEP_INPUT_START>>"),
                (TemporaryStored, Tag::ToolEventStart, "<<TOOL_EVENT_START>>"),
                (Unclosed, Tag::StepStart, "<<STEP_START>>"),
            ],
        ),
    ];
    for (text, tree, expected) in cases {
        let markup = Markup::parse(text);
        assert_eq!(outline(markup.nodes()), *tree, "{text}");
        let found = markup.faults().iter();
        let found: Vec<_> = found.map(|it| (it.kind, it.tag, &text[it.span.start..it.span.end])).collect();
        assert_eq!(found, *expected, "{text}");
        assert_eq!(markup.to_string(), *text);
    }
}

#[test]
fn a_missing_tag_is_one_fault() {
    let text = everything();
    let mut from = 0;
    let mut removed = 0;
    while let Some(start) = text[from..].find("<<").map(|at| from + at) {
        let end = start + text[start..].find(">>").unwrap() + 2;
        from = end;
        if &text[start..end] == "<<SINGLE_STEP_FLAG>>" {
            continue;
        }
        let rest = format!("{}{}", &text[..start], &text[end..]);
        let markup = Markup::parse(&rest);
        assert_eq!(markup.faults().len(), 1, "without {}: {:?}", &text[start..end], markup.faults());
        removed += 1;
    }
    assert_eq!(removed, 26);
}

#[test]
fn the_tree_so_far_blames_nothing_that_may_still_come() {
    let text = everything();
    let mut parser = Parser::new();
    for character in text.chars() {
        parser.push(character.encode_utf8(&mut [0; 4]));
        let markup = parser.so_far();
        assert_eq!(markup.faults(), [], "{}", parser.text());
        assert_eq!(markup.to_string(), parser.text());
    }
    assert_eq!(parser.finish(), Markup::parse(&text));
}

#[test]
fn text_beyond_the_limit_is_dropped() {
    let limits = ParserLimits::DEFAULT.with_text_bytes(16);
    let text = "<<STEP_START>>aé<<STEP_END>>";
    let whole = Markup::parse_within(text, limits);
    assert!(whole.is_truncated());
    // The character that does not fit is left out whole.
    assert_eq!(whole.to_string(), "<<STEP_START>>a");
    assert_eq!(whole.faults(), []);
    let mut parser = Parser::with_limits(limits);
    for character in text.chars() {
        parser.push(character.encode_utf8(&mut [0; 4]));
    }
    assert_eq!(parser.finish(), whole);
    assert!(!Markup::parse_within("<<STEP_START>>ab", limits).is_truncated());
}

#[test]
fn text_from_one_tag_too_many_on_is_dropped() {
    let limits = ParserLimits::DEFAULT.with_tags(2);
    for (text, kept) in [
        ("<<STEP_START>>a<<STEP_END>>b", None),
        ("<<STEP_START>>a<<STEP_END>>b<<thinking>>c", Some("<<STEP_START>>a<<STEP_END>>b")),
        ("<<STEP_START>>a<<thinking>>b<</thinking>>", Some("<<STEP_START>>a<<thinking>>b")),
    ] {
        let whole = Markup::parse_within(text, limits);
        assert_eq!(whole.is_truncated(), kept.is_some(), "{text}");
        assert_eq!(whole.to_string(), kept.unwrap_or(text));
        // What is open may have its end in what was dropped.
        assert_eq!(whole.faults(), [], "{text}");
        let mut parser = Parser::with_limits(limits);
        for character in text.chars() {
            parser.push(character.encode_utf8(&mut [0; 4]));
        }
        assert_eq!(parser.finish(), whole, "{text}");
    }
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    for unit in [
        "<",
        "<<",
        "<<TOOL_STEP_START/",
        "<<TOOL_STEP_START/a:b>>",
        "<<TOOL_STEP_INPUT_START>>",
        "<<TOOL_STEP_INPUT_START>>1",
        "<<TOOL_STEP_INPUT_START>>[\"",
        "<<STEP_START>><<thinking>>",
        "<</thinking>>",
        "<<INPUT_REQUIRED_START>>\nExpected input types:,a\n",
    ] {
        let mut text = unit.repeat(400_000 / unit.len());
        assert_eq!(Markup::parse(&text).to_string(), text, "{unit}");
        // An end tag that all of them may be looking for.
        text.push_str("<<TOOL_STEP_INPUT_END>>");
        assert_eq!(Markup::parse(&text).to_string(), text, "{unit}");
    }
}

#[test]
fn debug_shows_no_text() {
    let markup = Markup::parse("<<STEP_START>>\nhunter2\n<<thinking>>hunter2<<STEP_END>>hunter2");
    assert!(!format!("{markup:?}").contains("hunter2"));
    assert!(!markup.faults()[0].to_string().contains("hunter2"));
    let mut parser = Parser::new();
    parser.push("hunter2");
    assert!(!format!("{parser:?}").contains("hunter2"));
}

#[test]
fn text_without_structure() {
    for (text, expected) in [
        (STEP, "\n\nI will now look up the information.\n"),
        (TOOL, TOOL),
        (THINKING, THINKING),
        (CHECKPOINT, ""),
        (QUESTION, ""),
        (ANSWERED, ""),
        (ERROR, "\n\n"),
        ("a<<STEP_END>>b<</thinking>>", "ab<</thinking>>"),
        ("<<CHECKPOINT_START>>\nCheckpoint: x\n", "\nCheckpoint: x\n"),
    ] {
        assert_eq!(without_structure(text), expected, "{text}");
    }
}

#[test]
fn content_contains_its_chunks() {
    let content = everything();
    let (calls, plain) = (format!("{THINKING}{TOOL}"), without_structure(&content).replace('\n', " "));
    for (chunks, expected) in [
        ("", true),
        ("Bye.", true),
        (calls.as_str(), true),
        // As chunks have it: nothing of the structure, other white space.
        (plain.as_str(), true),
        ("I will check the weather for Rome.", false),
        ("Bye. And more", false),
        // Chunks that carry the structure as well.
        (content.as_str(), true),
        ("Step 1: Look up ✓", true),
    ] {
        assert_eq!(contains_text(&content, chunks), expected, "{chunks}");
    }
}

/// Text of tags, halves of tags, JSON and other characters.
fn messages() -> impl Strategy<Value = String> {
    let mut tags: Vec<String> = TagKind::ALL.iter().map(|kind| format!("<<{kind}>>")).collect();
    for label in ["a:1", "a:2", "a"] {
        tags.extend([format!("<<TOOL_STEP_START/{label}>>"), format!("<<TOOL_STEP_END/{label}>>")]);
    }
    let half = (select(tags.clone()), any::<prop::sample::Index>(), any::<bool>()).prop_map(|(tag, at, first)| {
        let (before, behind) = tag.split_at(at.index(tag.len()));
        if first { before.to_owned() } else { behind.to_owned() }
    });
    let json = select(vec!["{}", "[1,\"<<STEP_END>>\"]", "\"", "null", "{\"a\":", "x"]).prop_map(str::to_owned);
    let piece = prop_oneof![6 => select(tags), 1 => half, 2 => json, 2 => "[<>a:/\n é✓]{0,4}"];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Checks that nodes stand one behind the other from `start` to `end`, and so do their children.
fn check_places(nodes: &[Node], text: &str, start: usize, end: usize) -> Result<(), TestCaseError> {
    let mut at = start;
    for node in nodes {
        let Span { start, end } = node.span();
        prop_assert_eq!(start, at);
        prop_assert_eq!(&text[start..end], node.to_string());
        if let Some(block) = node.block() {
            let inner_end = block.close.as_ref().map_or(end, |close| close.span().start);
            check_places(&block.children, text, block.open.span().end, inner_end)?;
        }
        at = end;
    }
    prop_assert_eq!(at, end);
    Ok(())
}

proptest! {
    #![proptest_config(crate::common::cases(512))]

    #[test]
    fn no_text_is_lost(text in prop_oneof![messages(), ".{0,64}"]) {
        let markup = Markup::parse(&text);
        prop_assert_eq!(markup.text(), &text);
        prop_assert_eq!(markup.to_string(), text.clone());
        check_places(markup.nodes(), &text, 0, text.len())?;
        for fault in markup.faults() {
            prop_assert!(text.get(fault.span.start..fault.span.end).is_some());
        }
    }

    #[test]
    fn cuts_make_no_difference(text in messages()) {
        let whole = Markup::parse(&text);
        let mut single = Parser::new();
        for character in text.chars() {
            single.push(character.encode_utf8(&mut [0; 4]));
        }
        let in_characters = single.finish();
        prop_assert_eq!(&in_characters, &whole);
        for cut in (0..=text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            let mut parser = Parser::new();
            parser.push(&text[..cut]);
            prop_assert_eq!(parser.so_far().to_string(), &text[..cut]);
            parser.push(&text[cut..]);
            let cut_once = parser.finish();
            prop_assert_eq!(&cut_once, &whole, "cut at {}", cut);
        }
    }

    #[test]
    fn every_content_contains_its_own_text(text in messages()) {
        prop_assert!(contains_text(&text, &text));
        prop_assert!(contains_text(&text, ""));
    }
}

#[test]
fn samples_are_the_same_however_they_are_cut() {
    for text in SAMPLES {
        let whole = Markup::parse(text);
        for size in 1..8 {
            let mut parser = Parser::new();
            let characters: Vec<char> = text.chars().collect();
            for piece in characters.chunks(size) {
                parser.push(&piece.iter().collect::<String>());
            }
            assert_eq!(parser.finish(), whole, "in pieces of {size}: {text}");
        }
    }
}
