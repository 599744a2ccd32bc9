//! What all workloads are made of: a generator that gives the same numbers everywhere, and texts.

use std::fmt::Write as _;

const PLAIN: [&str; 48] = [
    "a",
    " I",
    " is",
    " it",
    " of",
    " to",
    " in",
    " the",
    " and",
    " for",
    " run",
    " was",
    ".",
    ",",
    ":",
    " that",
    " with",
    " from",
    " this",
    " each",
    " when",
    " train",
    " state",
    " 2026",
    " 17.5",
    " answer",
    " stream",
    " server",
    " before",
    " result",
    " message",
    " between",
    " checked",
    " protocol",
    " function",
    " schedule",
    " available",
    " different",
    " therefore",
    " implement",
    " conversation",
    " approximately",
    " infrastructure",
    " recommendation",
    " characterisation",
    " interchangeability",
    " counterrevolutionaries",
    " **bold** and `code`",
];

const FOREIGN: [&str; 16] = [
    " naïve",
    " größer",
    " déjà",
    " señor",
    " Øresund",
    "你好",
    "世界和平",
    "検索結果",
    " привет",
    " мир",
    " 안녕",
    " €",
    " –",
    " “so”",
    "🙂",
    " 👩‍💻",
];

/// Texts that JSON has to escape.
const ESCAPED: [&str; 8] = ["\n", "\n\n", "\n- ", " \"so\"", "\t", " C:\\temp\\x", "```\n", "\r\n"];

const NAMES: [&str; 24] = [
    "id",
    "name",
    "title",
    "kind",
    "status",
    "count",
    "items",
    "labels",
    "source",
    "range",
    "score",
    "created_at",
    "owner",
    "parent",
    "x-trace",
    "größe",
    "位置",
    "a b",
    "a/b",
    "m~n",
    "0",
    "latencyMs",
    "retries",
    "",
];

/// A generator (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        // Near seeds must not give near streams, and 0 would give nothing but 0.
        Self((seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 32) as usize) % end
    }

    /// Both ends included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }

    /// From 1 to `high`, each order of magnitude as often as any other.
    pub fn log_uniform(&mut self, high: usize) -> usize {
        let exponent = self.below(1 << 20) as f64 / f64::from(1 << 20);
        (high as f64).powf(exponent) as usize
    }

    pub fn hex(&mut self, digits: usize) -> String {
        (0..digits).map(|_| char::from(self.pick(b"0123456789abcdef"))).collect()
    }

    pub fn alphanumeric(&mut self, length: usize) -> String {
        let letters = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        (0..length).map(|_| char::from(self.pick(letters))).collect()
    }

    /// A UUID of version 4.
    pub fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xfff,
            0x8000 | low >> 48 & 0x3fff,
            low & 0xffff_ffff_ffff
        )
    }

    pub fn url(&mut self) -> String {
        let host = self.pick(&["docs.example.org", "api.example.com/v2", "bücher.example", "example.net:8443"]);
        let (path, query) = (self.uuid(), self.below(100));
        format!("https://{host}/items/{path}?page={query}&sort=asc#top")
    }

    /// A piece of text as models send it, most often 1 to 25 bytes, not escaped.
    pub fn word(&mut self) -> String {
        match self.below(100) {
            0 => format!(" {}", self.url()),
            1..=5 => self.pick(&ESCAPED).to_owned(),
            6..=17 => self.pick(&FOREIGN).to_owned(),
            _ => self.pick(&PLAIN).to_owned(),
        }
    }

    /// A text of so many bytes, or up to three more, not escaped.
    pub fn words(&mut self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 100);
        while text.len() < bytes {
            text += &self.word();
        }
        let end = (bytes..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        text.truncate(end);
        text
    }

    /// The same between quotes.
    pub fn quoted_words(&mut self, low: usize, high: usize) -> String {
        let bytes = self.between(low, high);
        quoted(&self.words(bytes))
    }

    /// Any JSON value but null.
    pub fn value(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 | 1 => self.quoted_words(0, 40),
            2 => self.between(0, 100_000).to_string(),
            3 => self.pick(&["-0", "0.1", "-12.75", "1e-7", "6.02E+23", "12345678901234567890", "1.0"]).to_owned(),
            4 => self.pick(&["true", "false"]).to_owned(),
            5 => quoted(&if self.percent(50) { self.uuid() } else { self.url() }),
            6 | 7 => {
                let elements: Vec<String> = (0..self.below(6)).map(|_| self.value(depth - 1)).collect();
                format!("[{}]", elements.join(","))
            }
            _ => self.object(depth - 1),
        }
    }

    /// An object of up to seven members, the name of each but once.
    pub fn object(&mut self, depth: usize) -> String {
        let mut names = NAMES;
        self.shuffle(&mut names);
        let count = self.below(8);
        let mut members = Vec::with_capacity(count);
        for name in &names[..count] {
            let value = if self.percent(5) { "null".to_owned() } else { self.value(depth) };
            members.push(format!("{}:{value}", quoted(name)));
        }
        format!("{{{}}}", members.join(","))
    }
}

/// The JSON string of a text.
pub fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + text.len() / 8 + 2);
    json.push('"');
    for char in text.chars() {
        match char {
            '"' => json += "\\\"",
            '\\' => json += "\\\\",
            '\n' => json += "\\n",
            '\r' => json += "\\r",
            '\t' => json += "\\t",
            '\0'..='\x1f' => write!(json, "\\u{:04x}", u32::from(char)).unwrap(),
            _ => json.push(char),
        }
    }
    json.push('"');
    json
}

/// A text cut into pieces of `low` to `high` characters.
pub fn pieces(random: &mut Random, text: &str, low: usize, high: usize) -> Vec<String> {
    let mut chars = text.chars();
    let mut found = Vec::new();
    loop {
        let piece: String = chars.by_ref().take(random.between(low, high)).collect();
        if piece.is_empty() {
            return found;
        }
        found.push(piece);
    }
}
