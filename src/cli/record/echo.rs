//! Credentials and headers of the request that the response repeats: no file may hold them.

use std::ops::Range;

use memchr::memmem;

use super::escaped::{Beginning, LONGEST, beginning, characters};

/// The shortest text that is looked for, in bytes: what is shorter may stand in a stream by
/// chance.
const SHORTEST: usize = 12;

/// The same of a whole credential: better that something else is masked than that it is not.
const SHORTEST_WHOLE: usize = 8;

/// The shortest beginning of a value that is masked where the body ends with it, in bytes.
const TELLING: usize = 8;

/// What a value of the request is, the graver last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sent {
    /// That of some header.
    Header,
    Credential,
}

/// A value that is looked for.
#[derive(Debug)]
struct Value {
    sent: Sent,
    /// As it was sent.
    bytes: Vec<u8>,
    /// Its characters, for JSON may write them otherwise; none if it is not UTF-8.
    characters: Vec<char>,
}

/// Masks values of the request in a stream of bytes.
#[derive(Debug, Default)]
pub(super) struct Echo {
    /// The longest first, since one may hold another.
    values: Vec<Value>,
    /// The end of what came, where it may be the beginning of a value.
    held: Vec<u8>,
    /// The gravest that was found.
    found: Option<Sent>,
}

impl Value {
    fn new(sent: Sent, bytes: &[u8]) -> Self {
        let characters = std::str::from_utf8(bytes).map(characters).unwrap_or_default();
        Self { sent, bytes: bytes.to_vec(), characters }
    }

    /// Where a text holds it, whole.
    fn places(&self, text: &[u8]) -> Vec<Range<usize>> {
        let as_sent = memmem::find_iter(text, &self.bytes).map(|at| at..at + self.bytes.len());
        let escaped = self.compared(text, 0).filter_map(|(at, found)| match found {
            Beginning::Whole(length) => Some(at..at + length),
            _ => None,
        });
        as_sent.chain(escaped).collect()
    }

    /// Where a text begins to hold it, if it ends within it, behind at least so many of its bytes.
    fn begun(&self, text: &[u8], least: usize) -> Option<usize> {
        let is_begun = |length: &usize| self.bytes.get(..*length).is_some_and(|begun| text.ends_with(begun));
        let as_sent = (least.max(1)..self.bytes.len()).rev().find(is_begun).map(|length| text.len() - length);
        let from = text.len().saturating_sub(self.characters.len() * LONGEST);
        let is_part = |found: &Beginning| matches!(found, Beginning::Part(seen) if *seen >= least);
        let escaped = self.compared(text, from).find(|(_, found)| is_part(found)).map(|(at, _)| at);
        as_sent.into_iter().chain(escaped).min()
    }

    /// What comes of comparing it with a text as JSON may write it, from each place where it may
    /// begin. Without a backslash nothing is written otherwise.
    fn compared<'t>(&'t self, text: &'t [u8], from: usize) -> impl Iterator<Item = (usize, Beginning)> + 't {
        let is_worth_it = |tail: &&[u8]| !self.characters.is_empty() && memchr::memchr(b'\\', tail).is_some();
        let tail = text.get(from..).filter(is_worth_it).unwrap_or_default();
        let first = self.bytes.first().copied().unwrap_or_default();
        memchr::memchr2_iter(first, b'\\', tail)
            .map(move |at| (from + at, beginning(tail.get(at..).unwrap_or_default(), &self.characters)))
    }
}

impl Echo {
    /// Looks for `values`, and for their parts: what stands between blanks and separators, such
    /// as a token behind `Bearer`.
    pub(super) fn of<'v>(values: impl Iterator<Item = (Sent, &'v [u8])>) -> Self {
        let is_separator = |byte: &u8| matches!(byte, b' ' | b';' | b',' | b'=');
        let mut found: Vec<Value> = Vec::new();
        for (sent, value) in values {
            let least = if sent == Sent::Credential { SHORTEST_WHOLE } else { SHORTEST };
            let whole = Some(value).filter(|whole| whole.len() >= least);
            let parts = value.split(is_separator).filter(|part| part.len() >= SHORTEST && part.len() < value.len());
            found.extend(whole.into_iter().chain(parts).map(|bytes| Value::new(sent, bytes)));
        }
        let mut values = found;
        values.sort_by_key(|value| std::cmp::Reverse((value.bytes.len(), value.sent)));
        Self { values, ..Self::default() }
    }

    /// Takes the next bytes; gives those that are settled, with asterisks for values.
    pub(super) fn mask(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        // A part is not masked where the whole may go on.
        let open = self.values.iter().filter_map(|value| value.begun(&self.held, 0)).min();
        let open = open.unwrap_or(self.held.len());
        self.mask_whole(open);
        let rest = self.held.split_off(open);
        std::mem::replace(&mut self.held, rest)
    }

    /// What is said of the answer's headers, with asterisks for credentials, in any case: names of hosts and types are
    /// shown in lower case.
    pub(super) fn masked(&mut self, header: &str) -> String {
        let (lower, mut bytes) = (header.to_ascii_lowercase(), header.as_bytes().to_vec());
        for value in self.values.iter().filter(|value| value.sent == Sent::Credential) {
            for at in memmem::find_iter(lower.as_bytes(), &value.bytes.to_ascii_lowercase()) {
                self.found = self.found.max(Some(value.sent));
                if let Some(place) = bytes.get_mut(at..at + value.bytes.len()) {
                    place.fill(b'*');
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Masks the values that begin before `end`.
    fn mask_whole(&mut self, end: usize) {
        for value in &self.values {
            for place in value.places(&self.held).into_iter().filter(|place| place.start < end) {
                self.found = self.found.max(Some(value.sent));
                if let Some(place) = self.held.get_mut(place) {
                    place.fill(b'*');
                }
            }
        }
    }

    /// What is left when nothing more comes, with asterisks for what was cut off of a value.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        self.mask_whole(self.held.len());
        for value in &self.values {
            let Some(at) = value.begun(&self.held, TELLING) else { continue };
            self.found = self.found.max(Some(value.sent));
            if let Some(begun) = self.held.get_mut(at..) {
                begun.fill(b'*');
            }
        }
        std::mem::take(&mut self.held)
    }

    /// The gravest that was found.
    pub(super) fn found(&self) -> Option<Sent> {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "placeholder-credential";

    #[test]
    fn credentials_are_masked_wherever_they_are_cut() {
        is_masked(&format!("Bearer {TOKEN}"), &format!("data: {{\"was\":\"{TOKEN}\",\"place\":1}}\n\n"), TOKEN);
    }

    /// Wherever the stream is cut, what was sent is masked as it is written in it.
    fn is_masked(sent: &str, stream: &str, written: &str) {
        let masked = stream.replace(written, &"*".repeat(written.len()));
        for cut in 0..=stream.len() {
            let mut echo = Echo::of(std::iter::once((Sent::Credential, sent.as_bytes())));
            let (one, two) = stream.as_bytes().split_at(cut);
            let seen = [echo.mask(one), echo.mask(two), echo.rest()].concat();
            assert_eq!(String::from_utf8_lossy(&seen), masked, "cut at {cut}");
            assert_eq!(echo.found(), Some(Sent::Credential), "cut at {cut}");
        }
    }

    #[test]
    fn a_whole_credential_is_masked_with_its_separators() {
        for whole in ["longer-secret/abc+def==xyz12345", "hunter2a", "user=acme; key=12345678"] {
            is_masked(whole, &format!("data: {{\"was\":\"{whole}\"}}\n\n"), whole);
        }
    }

    #[test]
    fn credentials_are_masked_however_json_writes_them() {
        let value = "Super/Secret+Token\u{e9}\u{1F600}";
        let by_number: String = value.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        for text in [
            value,
            r"Super\/Secret\u002bToken\u00E9\uD83D\ude00",
            r"Super\\\/Secret\\u002BToken\\u00e9\\ud83d\\ude00",
            &by_number,
        ] {
            is_masked(value, &format!("data: {{\"was\":\"\\n{text}\\n\",\"place\":1}}\n\n"), text);
        }
    }

    #[test]
    fn what_is_cut_off_is_masked_from_eight_bytes_on() {
        for (text, masked) in [
            ("data: placeholder-credentia", "data: *********************"),
            ("data: placehol", "data: ********"),
            ("data: placeho", "data: placeho"),
            (r"data: place\u0068ol", "data: *************"),
            (r"data: placeholder\u00", "data: ***************"),
            ("data: placeholder\n", "data: placeholder\n"),
        ] {
            let mut echo = Echo::of(std::iter::once((Sent::Credential, TOKEN.as_bytes())));
            let seen = [echo.mask(text.as_bytes()), echo.rest()].concat();
            assert_eq!(String::from_utf8_lossy(&seen), masked);
            assert_eq!(echo.found(), (text != masked).then_some(Sent::Credential), "{text}");
        }
    }

    #[test]
    fn nothing_else_is_changed_or_kept_back() {
        let text = "data: Bearer application/json tenant=acme\n\n";
        let sent = [&b"Bearer placeholder-credential"[..], b"a=b; tenant=acme"];
        let mut echo = Echo::of(sent.into_iter().map(|value| (Sent::Credential, value)));
        assert_eq!(echo.mask(text.as_bytes()), text.as_bytes());
        assert_eq!((echo.rest(), echo.found()), (Vec::new(), None));
    }

    #[test]
    fn the_gravest_is_told() {
        let (header, credential) = ((Sent::Header, &b"tenant-of-acme"[..]), (Sent::Credential, TOKEN.as_bytes()));
        let twice = (Sent::Credential, header.1);
        for (sent, text, found) in [
            (&[header, credential][..], "tenant-of-acme", Some(Sent::Header)),
            (&[header, credential], "tenant-of-acme placeholder-credential", Some(Sent::Credential)),
            (&[credential, header], "placeholder-credential tenant-of-acme", Some(Sent::Credential)),
            (&[header, twice], "tenant-of-acme", Some(Sent::Credential)),
            (&[header], "placeholder-credential", None),
        ] {
            let mut echo = Echo::of(sent.iter().copied());
            echo.mask(text.as_bytes());
            assert_eq!(echo.found(), found, "{sent:?} {text}");
        }
    }
}
