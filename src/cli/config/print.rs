//! `--print-config`: what is in effect, as TOML, with where each value comes from.

use std::io::Write;

use serde::Serialize;

use crate::cli::console::{Outcome, shown};
use crate::safe::{is_obeyed, without_tokens};

/// The configuration in effect, table by table.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// The file.
    pub(super) origin: Option<String>,
    tables: Vec<Table>,
}

#[derive(Debug)]
struct Table {
    /// As in `[check]` or `[[files]]`.
    header: String,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    key: String,
    is_list: bool,
    /// Each with where it comes from.
    values: Vec<(String, String)>,
}

impl Listing {
    /// Begins another table of a list of tables.
    pub(super) fn open(&mut self, header: &str) {
        self.tables.push(Table { header: header.to_owned(), rows: Vec::new() });
    }

    /// Sets a key of the last table of that name.
    pub(super) fn set(&mut self, header: &str, key: &str, value: String, from: &str) {
        let row = self.row(header, key);
        row.values = vec![(value, from.to_owned())];
    }

    /// Adds to the list of a key.
    pub(super) fn add(&mut self, header: &str, key: &str, value: String, from: &str) {
        let row = self.row(header, key);
        row.is_list = true;
        row.values.push((value, from.to_owned()));
    }

    /// Empties the list of a key.
    pub(super) fn clear(&mut self, header: &str, key: &str) {
        let row = self.row(header, key);
        (row.is_list, row.values) = (true, Vec::new());
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the place is one that was found, or the last one, which then was just added"
    )]
    fn row(&mut self, header: &str, key: &str) -> &mut Row {
        let table = self.tables.iter().rposition(|table| table.header == header);
        if table.is_none() {
            self.open(header);
        }
        let last = self.tables.len() - 1;
        let rows = &mut self.tables[table.unwrap_or(last)].rows;
        let row = rows.iter().position(|row| row.key == key);
        if row.is_none() {
            rows.push(Row { key: key.to_owned(), is_list: false, values: Vec::new() });
        }
        let last = rows.len() - 1;
        &mut rows[row.unwrap_or(last)]
    }

    pub(super) fn print(&self) -> Outcome<()> {
        let mut out = anstream::stdout().lock();
        let origin = self.origin.as_deref().map_or_else(|| "no configuration file".to_owned(), shown);
        writeln!(out, "# {origin}")?;
        for table in &self.tables {
            writeln!(out, "\n{}", table.header)?;
            for row in &table.rows {
                row.print(&mut out)?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

impl Row {
    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let is_bare = self.key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        let key = if is_bare { self.key.clone() } else { toml_of(&self.key) };
        match &self.values[..] {
            [] => writeln!(out, "{key} = []"),
            [(value, from)] if !self.is_list => writeln!(out, "{key} = {} # {}", without_tokens(value), shown(from)),
            values => {
                writeln!(out, "{key} = [")?;
                for (value, from) in values {
                    writeln!(out, "    {}, # {}", without_tokens(value), shown(from))?;
                }
                writeln!(out, "]")
            }
        }
    }
}

/// A text, a number or a bool in TOML, which writes them as JSON does, but for characters beyond
/// `\uFFFF`. A terminal obeys nothing in it.
pub(super) fn toml_of<T: Serialize + ?Sized>(value: &T) -> String {
    let plain = serde_json::to_string(value).unwrap_or_default();
    let mut out = String::with_capacity(plain.len());
    for c in plain.chars() {
        match u32::from(c) {
            _ if !is_obeyed(c) => out.push(c),
            // It stands in a string, where an escape is the same.
            code @ ..=0xFFFF => out += &format!("\\u{code:04X}"),
            code => out += &format!("\\U{code:08X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_toml_reads_them() {
        for text in ["plain", "a \"b\" \\ c\n\t\u{1}\u{7F}", "größe", "a\u{202E}b\u{2066}\u{85}c\u{E0041}\u{1F600}"] {
            let written = toml_of(text);
            assert!(!written.contains(is_obeyed), "{written:?}");
            let table: toml::Table = toml::from_str(&format!("key = {written}")).unwrap();
            assert_eq!(table["key"].as_str(), Some(text));
        }
    }

    #[test]
    fn rows_say_where_they_come_from() {
        let mut listing = Listing::default();
        listing.set("[check]", "profile", toml_of("strict"), "default");
        listing.set("[rules]", "lime/secret-key", toml_of("off"), "contracts.toml:3");
        listing.set("[check]", "profile", toml_of("schema"), "--profile");
        listing.add("[check]", "exclude", toml_of("old"), "--exclude");
        listing.clear("[check]", "paths");
        let mut out = Vec::new();
        for row in listing.tables.iter().flat_map(|table| &table.rows) {
            row.print(&mut out).unwrap();
        }
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "profile = \"schema\" # --profile\nexclude = [\n    \"old\", # --exclude\n]\npaths = []\n\
             \"lime/secret-key\" = \"off\" # contracts.toml:3\n"
        );
    }
}
