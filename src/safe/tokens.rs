//! Shapes of provider tokens: API keys, access tokens, private keys.
//!
//! A token begins at the start of a word and is long: short texts and words that begin
//! with another letter are passed over at once. What is left is held against the shapes
//! and against the entropy of its characters.

/// The characters that follow a prefix.
#[derive(Clone, Copy)]
enum Alphabet {
    /// `[A-Za-z0-9]`
    Alnum,
    /// `[A-Za-z0-9_-]`
    Base64Url,
    /// `[A-Z0-9]`
    Upper,
    /// `[0-9a-f]`
    Hex,
    /// `[A-Za-z0-9_=.-]`, at least two dots: header, payload and signature.
    Jwt,
    /// Anything: the prefix says it all.
    Any,
}

struct Shape {
    prefix: &'static str,
    alphabet: Alphabet,
    /// The fewest characters after the prefix.
    least: usize,
    /// The least Shannon entropy of those characters, in bits a character.
    entropy: f64,
}

const fn shape(prefix: &'static str, alphabet: Alphabet, least: usize, entropy: f64) -> Shape {
    Shape { prefix, alphabet, least, entropy }
}

/// Facts about the tokens as their providers document them.
const SHAPES: &[Shape] = &[
    shape("sk-ant-", Alphabet::Base64Url, 32, 3.0),
    shape("sk-proj-", Alphabet::Base64Url, 32, 3.0),
    shape("sk-or-v1-", Alphabet::Hex, 32, 3.0),
    shape("sk-", Alphabet::Alnum, 32, 3.0),
    shape("gsk_", Alphabet::Alnum, 32, 3.0),
    shape("xai-", Alphabet::Alnum, 40, 3.0),
    shape("pplx-", Alphabet::Alnum, 32, 3.0),
    shape("nvapi-", Alphabet::Base64Url, 40, 3.0),
    shape("hf_", Alphabet::Alnum, 30, 3.0),
    shape("r8_", Alphabet::Alnum, 32, 3.0),
    shape("ghp_", Alphabet::Alnum, 36, 3.0),
    shape("gho_", Alphabet::Alnum, 36, 3.0),
    shape("ghu_", Alphabet::Alnum, 36, 3.0),
    shape("ghs_", Alphabet::Alnum, 36, 3.0),
    shape("ghr_", Alphabet::Alnum, 36, 3.0),
    shape("github_pat_", Alphabet::Base64Url, 50, 3.0),
    shape("glpat-", Alphabet::Base64Url, 20, 3.0),
    shape("npm_", Alphabet::Alnum, 36, 3.0),
    shape("pypi-AgEI", Alphabet::Base64Url, 50, 3.0),
    shape("AKIA", Alphabet::Upper, 16, 3.0),
    shape("ASIA", Alphabet::Upper, 16, 3.0),
    shape("AIza", Alphabet::Base64Url, 35, 3.0),
    shape("ya29.", Alphabet::Base64Url, 30, 3.0),
    shape("xoxb-", Alphabet::Base64Url, 20, 2.5),
    shape("xoxp-", Alphabet::Base64Url, 20, 2.5),
    shape("xapp-", Alphabet::Base64Url, 20, 2.5),
    shape("sk_live_", Alphabet::Alnum, 24, 3.0),
    shape("rk_live_", Alphabet::Alnum, 24, 3.0),
    shape("SG.", Alphabet::Jwt, 60, 3.0),
    shape("eyJ", Alphabet::Jwt, 40, 3.0),
    shape("-----BEGIN ", Alphabet::Any, 0, 0.0),
];

/// The length of the shortest token.
pub(crate) const SHORTEST: usize = 20;

/// How much of a token is looked at.
const LONGEST: usize = 1024;

/// By the first byte of a token, which bytes can be its second: a bit for the last five bits
/// of each.
const BEGINNINGS: [u32; 256] = {
    let mut beginnings = [0; 256];
    let mut at = 0;
    while at < SHAPES.len() {
        let prefix = SHAPES[at].prefix.as_bytes();
        beginnings[prefix[0] as usize] |= 1 << (prefix[1] & 31);
        at += 1;
    }
    beginnings
};

/// Whether the text, JSON escapes or not, holds something of the shape of a provider token.
#[inline]
pub(crate) fn contains_token(text: &str) -> bool {
    text.len() >= SHORTEST && may_have_token(text.as_bytes()) && has_token(text.as_bytes())
}

/// Whether the text has a run of [`RUN`] characters without a space or such, or the
/// dashes of a PEM header. Looks at every n-th byte: a run covers one of them.
#[inline]
fn may_have_token(bytes: &[u8]) -> bool {
    let in_run = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'=');
    let mut at = RUN - 1;
    while at < bytes.len() {
        if in_run(&bytes[at]) {
            let after = bytes[at..].iter().take_while(|byte| in_run(byte)).count();
            let before = bytes[..at].iter().rev().take_while(|byte| in_run(byte)).count();
            if before + after >= RUN {
                return true;
            }
            at += after;
        }
        at += RUN;
    }
    let dash = |at: usize| bytes.get(at) == Some(&b'-');
    (4..bytes.len()).step_by(5).any(|at| dash(at) && (at - 4..=at).any(|at| (at..at + 5).all(dash)))
}

/// Every token but a PEM header has a run of at least this many characters.
const RUN: usize = 16;

fn has_token(bytes: &[u8]) -> bool {
    let mut in_word = false;
    // A token that began later would not fit.
    for (start, byte) in bytes[..=bytes.len() - SHORTEST].iter().enumerate() {
        let may_begin = !in_word && BEGINNINGS[*byte as usize] >> (bytes[start + 1] & 31) & 1 == 1;
        if may_begin && SHAPES.iter().any(|shape| fits(shape, bytes, start)) {
            return true;
        }
        // The letter of an escape such as `\n` is no part of a word.
        in_word = byte.is_ascii_alphanumeric() && !(start > 0 && bytes[start - 1] == b'\\');
    }
    false
}

/// Whether a token of the shape begins at `start`.
fn fits(shape: &Shape, bytes: &[u8], start: usize) -> bool {
    let Some(rest) = bytes[start..].strip_prefix(shape.prefix.as_bytes()) else { return false };
    // Bounded, or a text of nothing but beginnings would be read over and over.
    let body_len = rest.iter().take(LONGEST).take_while(|byte| shape.alphabet.has(**byte)).count();
    let body = &rest[..body_len];
    match shape.alphabet {
        Alphabet::Any => rest.windows(11).take(40).any(|window| window == b"PRIVATE KEY"),
        Alphabet::Jwt if body.iter().filter(|byte| **byte == b'.').count() < usize::from(shape.prefix == "eyJ") + 1 => {
            false
        }
        // Past the end of such a token comes something else, or it is a longer word.
        Alphabet::Upper if body_len != shape.least => false,
        _ => body_len >= shape.least && entropy(body) >= shape.entropy,
    }
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Base64Url => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Jwt => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b'.'),
            Self::Any => false,
        }
    }
}

/// Shannon entropy in bits a character.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let total = bytes.len() as f64;
    counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total).map(|p| -p * p.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_told_from_words() {
        let aws = ["AKIA", "Q3EGRZ7XW2LMP5TN"].concat();
        let github = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        let jwt =
            ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.", "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"]
                .concat();
        let pem = ["-----BEGIN RSA ", "PRIVATE KEY-----"].concat();
        for secret in [&aws, &github, &jwt, &pem] {
            assert!(contains_token(&format!("key: {secret}")));
            assert!(contains_token(&format!("\\n{secret}\\n")));
            assert!(secret.len() >= SHORTEST);
        }
        for word in [
            "sk-learn is a library",
            "AKIA",
            "task-sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "hf_model",
            "eyJ is how they begin",
            "-----BEGIN CERTIFICATE-----",
            "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert!(!contains_token(word), "{word}");
        }
    }
}
