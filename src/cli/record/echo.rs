//! Credentials and headers of the request that the response repeats: no file may hold them.

use memchr::memmem;

/// The shortest text that is looked for, in bytes: what is shorter may stand in a stream by
/// chance.
const SHORTEST: usize = 12;

/// What a value of the request is, the graver last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sent {
    /// That of some header.
    Header,
    Credential,
}

/// Masks values of the request in a stream of bytes.
#[derive(Debug, Default)]
pub(super) struct Echo {
    /// The longest first, since one may hold another.
    values: Vec<(Sent, Vec<u8>)>,
    /// The end of what came, where it may be the beginning of a value.
    held: Vec<u8>,
    /// The gravest that was found.
    found: Option<Sent>,
}

impl Echo {
    /// Looks for the parts of `values`: what stands between blanks and separators, such as
    /// a token behind `Bearer`.
    pub(super) fn of<'v>(values: impl Iterator<Item = (Sent, &'v [u8])>) -> Self {
        let is_separator = |byte: &u8| matches!(byte, b' ' | b';' | b',' | b'=');
        let parts = values.flat_map(|(sent, value)| value.split(is_separator).map(move |part| (sent, part.to_vec())));
        let mut values: Vec<(Sent, Vec<u8>)> = parts.filter(|(_, part)| part.len() >= SHORTEST).collect();
        values.sort_by_key(|(sent, value)| std::cmp::Reverse((value.len(), *sent)));
        Self { values, ..Self::default() }
    }

    /// Takes the next bytes; gives those that are settled, with asterisks for values.
    #[expect(
        clippy::indexing_slicing,
        reason = "a value is as long where it was found, and each length is less than its own"
    )]
    pub(super) fn mask(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        for (sent, value) in &self.values {
            let places: Vec<usize> = memmem::find_iter(&self.held, value).collect();
            if !places.is_empty() {
                self.found = self.found.max(Some(*sent));
            }
            for at in places {
                self.held[at..at + value.len()].fill(b'*');
            }
        }
        let begun = |value: &Vec<u8>| (1..value.len()).rev().find(|length| self.held.ends_with(&value[..*length]));
        let open = self.values.iter().filter_map(|(_, value)| begun(value)).max().unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - open);
        std::mem::replace(&mut self.held, rest)
    }

    /// What is left when nothing more comes.
    pub(super) fn rest(&mut self) -> Vec<u8> {
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
        let text = format!("data: {{\"was\":\"{TOKEN}\",\"place\":1}}\n\n");
        let masked = text.replace(TOKEN, &"*".repeat(TOKEN.len()));
        for cut in 0..=text.len() {
            let value = format!("Bearer {TOKEN}");
            let mut echo = Echo::of(std::iter::once((Sent::Credential, value.as_bytes())));
            let (one, two) = text.as_bytes().split_at(cut);
            let seen = [echo.mask(one), echo.mask(two), echo.rest()].concat();
            assert_eq!(String::from_utf8_lossy(&seen), masked, "cut at {cut}");
            assert_eq!(echo.found(), Some(Sent::Credential), "cut at {cut}");
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
