//! Credentials of the request that the response repeats: no file may hold them.

use memchr::memmem;

/// The shortest text that counts as a credential, in bytes: what is shorter may stand in
/// a stream by chance.
const SHORTEST: usize = 12;

/// Masks credentials in a stream of bytes.
#[derive(Debug, Default)]
pub(super) struct Echo {
    /// The longest first, since one may hold another.
    secrets: Vec<Vec<u8>>,
    /// The end of what came, where it may be the beginning of a credential.
    held: Vec<u8>,
    found: bool,
}

impl Echo {
    /// Looks for the parts of `values`: what stands between blanks and separators, such as
    /// a token behind `Bearer`.
    pub(super) fn of<'v>(values: impl Iterator<Item = &'v [u8]>) -> Self {
        let is_separator = |byte: &u8| matches!(byte, b' ' | b';' | b',' | b'=');
        let parts = values.flat_map(|value| value.split(is_separator));
        let mut secrets: Vec<Vec<u8>> = parts.filter(|part| part.len() >= SHORTEST).map(<[u8]>::to_vec).collect();
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { secrets, ..Self::default() }
    }

    /// Takes the next bytes; gives those that are settled, with asterisks for credentials.
    pub(super) fn mask(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        for secret in &self.secrets {
            let places: Vec<usize> = memmem::find_iter(&self.held, secret).collect();
            self.found |= !places.is_empty();
            for at in places {
                self.held[at..at + secret.len()].fill(b'*');
            }
        }
        let begun = |secret: &Vec<u8>| (1..secret.len()).rev().find(|length| self.held.ends_with(&secret[..*length]));
        let open = self.secrets.iter().filter_map(begun).max().unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - open);
        std::mem::replace(&mut self.held, rest)
    }

    /// What is left when nothing more comes.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }

    /// Whether a credential was found.
    pub(super) fn is_found(&self) -> bool {
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
            let mut echo = Echo::of(std::iter::once(value.as_bytes()));
            let (one, two) = text.as_bytes().split_at(cut);
            let seen = [echo.mask(one), echo.mask(two), echo.rest()].concat();
            assert_eq!(String::from_utf8_lossy(&seen), masked, "cut at {cut}");
            assert!(echo.is_found(), "cut at {cut}");
        }
    }

    #[test]
    fn nothing_else_is_changed_or_kept_back() {
        let text = "data: Bearer application/json tenant=acme\n\n";
        let mut echo = Echo::of([&b"Bearer placeholder-credential"[..], b"a=b; tenant=acme"].into_iter());
        assert_eq!(echo.mask(text.as_bytes()), text.as_bytes());
        assert_eq!((echo.rest(), echo.is_found()), (Vec::new(), false));
    }
}
