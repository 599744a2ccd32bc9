//! What was measured as the tables of docs/performance.md.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use crate::streams::Stream;

/// What was measured of one stream.
pub struct Row {
    pub stream: &'static str,
    pub bytes: usize,
    pub events: usize,
    /// The share of its events in phase 2 of the strict check.
    pub slow: f64,
    pub cells: Vec<Cell>,
}

/// What was measured of one contender on a stream.
pub struct Cell {
    pub name: &'static str,
    pub seconds: f64,
    pub over_value: f64,
    pub over_ignored: f64,
    /// How many events it refused.
    pub refused: usize,
    pub instructions: Option<f64>,
}

const VALUE: &str = "serde_json::Value";
const CHECK: &str = "strict check";

const BEGIN: &str = "<!-- results -->\n";
const END: &str = "<!-- end -->\n";

impl Row {
    pub fn of(stream: &Stream, slow: f64) -> Self {
        Self { stream: stream.name, bytes: stream.bytes.len(), events: stream.lines.len(), slow, cells: Vec::new() }
    }

    fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.name == name)
    }

    /// What is shown of the strict check.
    fn check(&self) -> Option<Vec<String>> {
        let cell = self.cell(CHECK)?;
        Some(vec![
            format!("{:.0}", self.bytes as f64 / 1e6 / cell.seconds),
            self.speed(cell),
            format!("{:.2}", cell.over_value),
            format!("{:.2}", cell.over_ignored),
            instructions(cell),
            format!("{:.1} %", 100.0 * self.slow),
        ])
    }

    /// Million events a second.
    fn speed(&self, cell: &Cell) -> String {
        format!("{:.2}", self.events as f64 / 1e6 / cell.seconds)
    }

    fn over_value(&self, cell: &Cell) -> String {
        let percent = 100.0 * cell.refused as f64 / self.events as f64;
        let refused = if cell.refused == 0 { String::new() } else { format!(" ({percent:.1} % refused)") };
        format!("{:.2}{refused}", cell.over_value)
    }
}

fn instructions(cell: &Cell) -> String {
    cell.instructions.map_or("–".to_owned(), |count| format!("{count:.0}"))
}

/// The tables, and below them who was left out, and why.
pub fn tables(rows: &[Row], left_out: &BTreeSet<String>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for cell in rows.iter().flat_map(|row| &row.cells) {
        if !names.contains(&cell.name) {
            names.push(cell.name);
        }
    }
    let others: Vec<&str> = names.iter().copied().filter(|name| ![VALUE, CHECK].contains(name)).collect();
    let counted: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| rows.iter().any(|row| row.cell(name).is_some_and(|cell| cell.instructions.is_some())))
        .collect();

    let mut text = String::from("### Strict check\n\n");
    let heads = ["MB/s", "million events/s", "× `Value`", "× `IgnoredAny`", "instructions an event", "phase 2"];
    text += &table(&heads, rows, |row| row.check().expect("all streams are checked"));
    text += "\n### Others, as times the speed of `Value`\n\n";
    let heads: Vec<&str> = ["`Value`, million events/s"].into_iter().chain(others.iter().copied()).collect();
    text += &table(&heads, rows, |row| {
        let value = shown(row, VALUE, |cell| row.speed(cell));
        let others = others.iter().map(|name| shown(row, name, |cell| row.over_value(cell)));
        [value].into_iter().chain(others).collect()
    });
    if !counted.is_empty() {
        text += "\n### Instructions an event\n\n";
        text += &table(&counted, rows, |row| counted.iter().map(|name| shown(row, name, instructions)).collect());
    }
    if !left_out.is_empty() {
        text += "\nNot in it:\n\n";
        text.extend(left_out.iter().map(|reason| format!("- {reason}\n")));
    }
    text
}

fn shown(row: &Row, name: &str, show: impl Fn(&Cell) -> String) -> String {
    row.cell(name).map_or("–".to_owned(), show)
}

fn table(heads: &[&str], rows: &[Row], cells: impl Fn(&Row) -> Vec<String>) -> String {
    let dashes = vec!["---:"; heads.len()];
    let mut text = format!("| stream | {} |\n| --- | {} |\n", heads.join(" | "), dashes.join(" | "));
    for row in rows {
        text += &format!("| {} | {} |\n", row.stream, cells(row).join(" | "));
    }
    text
}

/// Puts the results between the marks of a page.
///
/// # Errors
/// When the page cannot be read or written, or lacks a mark.
pub fn write(page: &Path, results: &str) -> io::Result<()> {
    let text = fs::read_to_string(page)?;
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, behind) = parts.ok_or_else(|| io::Error::other(format!("{} lacks a mark", page.display())))?;
    fs::write(page, format!("{before}{BEGIN}\n{results}\n{END}{behind}"))
}
