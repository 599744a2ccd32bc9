//! Random choices, ids and texts.

use serde_json::Value;

/// Random choices and ids. The same seed gives the same ones everywhere.
#[derive(Debug)]
pub struct Source {
    state: u64,
    form: usize,
    ids: usize,
}

impl Source {
    pub fn new(seed: u64) -> Self {
        let mut source = Self { state: (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15), form: 0, ids: 0 };
        source.form = source.below(4);
        source
    }

    pub fn draw(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.draw() >> 32) as usize % bound
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// An id that no other has. A stream keeps to one of the usual forms.
    pub fn id(&mut self, word: &str) -> String {
        self.ids += 1;
        let (a, b) = (self.draw(), self.draw());
        match self.form {
            0 => uuid(a, b),
            1 => format!("{word}_{a:016x}{:08x}", b >> 32),
            2 => format!("{word}-{}", self.ids),
            _ => format!("{}{}", &word[..1], self.ids),
        }
    }

    pub fn uuid(&mut self) -> String {
        uuid(self.draw(), self.draw())
    }

    /// The text in pieces of a few characters.
    pub fn pieces(&mut self, text: &str) -> Vec<String> {
        let length = 6 + self.below(12);
        let characters: Vec<char> = text.chars().collect();
        characters.chunks(length).map(|piece| piece.iter().collect()).collect()
    }

    /// All blocks at once: each keeps its order.
    pub fn merge(&mut self, blocks: Vec<Vec<Value>>) -> Vec<Value> {
        let mut rest: Vec<_> = blocks.into_iter().map(Vec::into_iter).collect();
        let mut merged = Vec::new();
        while !rest.is_empty() {
            let at = self.below(rest.len());
            match rest[at].next() {
                Some(event) => merged.push(event),
                None => drop(rest.swap_remove(at)),
            }
        }
        merged
    }

    /// All blocks, one after another or at once.
    pub fn join(&mut self, blocks: Vec<Vec<Value>>) -> Vec<Value> {
        if self.one_in(2) { self.merge(blocks) } else { blocks.concat() }
    }
}

fn uuid(a: u64, b: u64) -> String {
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        a >> 32,
        (a >> 16) & 0xFFFF,
        a & 0xFFF,
        b >> 52,
        b & 0xFFFF_FFFF_FFFF
    )
}

/// What answers and thoughts are made of.
pub const TEXTS: [&str; 4] = [
    "Yes, and May is one of the better months for it.",
    "Let me check.",
    "The train takes just under seven hours; three of them run on Thursday.",
    "Im Mai ist auf der Höhe noch Schnee – schön! 🏔",
];

/// Arguments of tool calls.
pub const ARGUMENTS: [&str; 4] = [
    r#"{"query":"event streams","limit":10}"#,
    r#"{"from":"Oslo S","to":"Bergen","date":"2026-05-14","passengers":2,"flexible":true}"#,
    r#"{"place":"Bergen"}"#,
    "{}",
];
