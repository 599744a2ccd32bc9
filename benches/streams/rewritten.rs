//! Other ways to write the same events.

use std::fmt::Write as _;

use super::random::Random;

/// The events as server-sent events, with a comment now and then. AG-UI has no ids.
pub fn server_sent_events(lines: &[String]) -> String {
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at % 50 == 20 {
            text += ": keep-alive\n\n";
        }
        for data in line.lines() {
            writeln!(text, "data: {data}").unwrap();
        }
        text.push('\n');
    }
    text
}

/// The same event with `type` as its last member.
pub fn tag_last(line: &str) -> String {
    let lexemes = lexemes(line);
    let mut members = items(&lexemes);
    // Stable, so that the others keep their order.
    members.sort_by_key(|member| matches!(member[0], r#""type""# | r#""\u0074ype""#));
    let members: Vec<String> = members.iter().map(|member| member.concat()).collect();
    format!("{{{}}}", members.join(","))
}

/// The same value with a space after each colon and comma, as Python writes it.
pub fn spaced(line: &str) -> String {
    let mut text = String::with_capacity(line.len() * 9 / 8);
    for lexeme in lexemes(line) {
        text += lexeme;
        if matches!(lexeme, ":" | ",") {
            text.push(' ');
        }
    }
    text
}

/// The same value on many lines, as `serde_json::to_string_pretty` writes it.
pub fn pretty(line: &str) -> String {
    let mut text = String::with_capacity(line.len() * 2);
    let lexemes = lexemes(line);
    let (mut depth, mut before) = (0, "");
    for (at, &lexeme) in lexemes.iter().enumerate() {
        let closes = matches!(lexeme, "}" | "]");
        if closes {
            depth -= 1;
        }
        let (opened, empty) = (matches!(before, "{" | "["), closes && matches!(before, "{" | "["));
        if at > 0 && (opened || closes || before == ",") && !empty {
            text.push('\n');
            text.extend(std::iter::repeat_n("  ", depth));
        }
        text += lexeme;
        match lexeme {
            ":" => text.push(' '),
            "{" | "[" => depth += 1,
            _ => {}
        }
        before = lexeme;
    }
    text
}

/// The punctuation, strings, numbers and literals of a JSON text.
fn lexemes(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let length = match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            b'"' => string_length(&bytes[at..]),
            _ => bytes[at..].iter().position(|byte| b" \t\n\r,]}".contains(byte)).unwrap_or(bytes.len() - at),
        };
        found.push(&text[at..at + length]);
        at += length;
    }
    found
}

/// The length of the string that begins here, with its quotes.
fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// The members of an object or the elements of a list.
fn items<'a, 'b>(lexemes: &'a [&'b str]) -> Vec<&'a [&'b str]> {
    let mut depth = 0;
    let inner = &lexemes[1..lexemes.len() - 1];
    let split = inner.split(|&lexeme| {
        match lexeme {
            "{" | "[" => depth += 1,
            "}" | "]" => depth -= 1,
            _ => {}
        }
        depth == 0 && lexeme == ","
    });
    split.filter(|item| !item.is_empty()).collect()
}

/// The same event with more members where AG-UI lets them be, in any order, in any spelling.
pub fn reshaped(random: &mut Random, line: &str) -> String {
    let mut line = line.strip_suffix('}').unwrap().to_owned();
    let has = |name: &str| items(&lexemes(&format!("{line}}}"))).iter().any(|member| member[0] == name);
    let metadata = random.percent(30) && !has(r#""metadata""#);
    if metadata {
        write!(line, r#","metadata":{}"#, random.object(3)).unwrap();
    }
    if random.percent(20) {
        write!(line, r#","rawEvent":{}"#, random.value(3)).unwrap();
    }
    line.push('}');
    let mut text = String::with_capacity(line.len() * 5 / 4);
    reshape(random, &lexemes(&line), &mut text);
    text
}

fn reshape(random: &mut Random, lexemes: &[&str], text: &mut String) {
    let gap = |random: &mut Random| random.pick(&["", "", " ", "  ", "\t"]);
    match lexemes[0] {
        "{" => {
            let mut members = items(lexemes);
            random.shuffle(&mut members);
            text.push('{');
            for (at, member) in members.iter().enumerate() {
                *text += if at > 0 { "," } else { "" };
                *text += gap(random);
                *text += &key(random, member[0]);
                text.push(':');
                *text += gap(random);
                reshape(random, &member[2..], text);
                if member[0] == r#""timestamp""# && random.percent(10) {
                    *text += ".0";
                }
            }
            // Operations of a patch are the one kind of object of the protocol that keeps unknown members.
            if members.iter().any(|member| member[0] == r#""op""#) && random.percent(20) {
                write!(text, r#", "x-reason": {}"#, random.value(2)).unwrap();
            }
            text.push('}');
        }
        "[" => {
            text.push('[');
            for (at, element) in items(lexemes).iter().enumerate() {
                *text += if at > 0 { "," } else { "" };
                *text += gap(random);
                reshape(random, element, text);
            }
            text.push(']');
        }
        string if string.starts_with('"') && random.percent(10) => *text += &escaped(string),
        scalar => *text += scalar,
    }
}

/// A key, now and then with its first letter escaped.
fn key(random: &mut Random, key: &str) -> String {
    match key[1..].chars().next() {
        Some(first) if first.is_ascii_alphabetic() && random.percent(1) => {
            format!("\"\\u{:04x}{}", u32::from(first), &key[2..])
        }
        _ => key.to_owned(),
    }
}

/// A JSON string with more escapes than it needs.
fn escaped(string: &str) -> String {
    let mut text = String::with_capacity(string.len() * 2);
    for char in string.chars() {
        match char {
            '/' => text += "\\/",
            '_' => text += "\\u005F",
            _ if char.is_ascii() => text.push(char),
            _ => char.encode_utf16(&mut [0; 2]).iter().for_each(|unit| write!(text, "\\u{unit:04x}").unwrap()),
        }
    }
    text
}
