//! What in a URL is a credential.

use ureq::http::Uri;

use crate::check::leaks::is_secret_key;
use crate::safe::tokens::contains_token;

/// The credentials in a URL, in each form in which an answer may repeat them: as it is
/// written, without escapes, and as the header that is made of user and password.
///
/// A part of the query is one by its name, or if it looks like a token. Others, such as the id
/// of a thread, are repeated by good streams.
pub(super) fn of(uri: &Uri) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    if let Some((login, _)) = authority.rsplit_once('@') {
        let (user, password) = login.split_once(':').unwrap_or((login, ""));
        let secret = if password.is_empty() { user } else { password };
        found.extend([secret.into(), unescaped(secret), base64(format!("{user}:{password}").as_bytes())]);
    }
    for pair in uri.query().unwrap_or_default().split('&') {
        let (name, value) = pair.split_once('=').unwrap_or(("", pair));
        let plain = unescaped(value);
        let is_secret = is_secret_key(&String::from_utf8_lossy(&unescaped(name)));
        if is_secret || contains_token(&String::from_utf8_lossy(&plain)) {
            found.extend([value.into(), plain]);
        }
    }
    found
}

/// The text with the bytes that `%` and two digits stand for.
fn unescaped(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        let escape = match (byte, tail) {
            (b'%', [high, low, behind @ ..]) => {
                let code = digit(*high).zip(digit(*low)).and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
                code.map(|code| (code, behind))
            }
            _ => None,
        };
        let (byte, behind) = escape.unwrap_or((*byte, tail));
        out.push(byte);
        rest = behind;
    }
    out
}

/// Base64 without the padding, which is no part of what is looked for.
#[expect(clippy::indexing_slicing, reason = "six bits number the 64 digits")]
fn base64(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().chain(&[0, 0]).take(3).fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        out.extend((0..=three.len()).map(|at| DIGITS[(bits >> (18 - 6 * at)) as usize & 63]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_answer_may_not_repeat() {
        let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        let with_token = format!("http://localhost/?state={token}");
        let secrets = |url: &str| {
            let found = of(&url.parse::<Uri>().unwrap());
            found.into_iter().map(|secret| String::from_utf8(secret).unwrap()).collect::<Vec<_>>()
        };
        for (url, expected) in [
            ("http://localhost/agent?threadId=thread_1234567890&key=value", &[][..]),
            ("http://martin:secret@localhost/", &["secret", "secret", "bWFydGluOnNlY3JldA"]),
            ("http://martin:se%63ret%2@localhost/", &["se%63ret%2", "secret%2", "bWFydGluOnNlJTYzcmV0JTI"]),
            ("http://martin@localhost/", &["martin", "martin", "bWFydGluOg"]),
            ("http://localhost/?a=b&api%5Fkey=p%2Fq#end", &["p%2Fq", "p/q"]),
            (with_token.as_str(), &[token.as_str(), token.as_str()]),
        ] {
            assert_eq!(secrets(url), expected, "{url}");
        }
    }
}
