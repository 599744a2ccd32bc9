//! What stands where a secret was, or will be.

/// Words that say that something was left out.
const WORDS: &[&str] =
    &["redacted", "masked", "hidden", "removed", "omitted", "filtered", "scrubbed", "elided", "none", "null", "n/a"];

/// What stands before the credentials of a request.
const SCHEMES: &[&str] = &["Basic", "Bearer", "Bot", "Token"];

/// Whether a value is no secret: it is empty, or says that something was left out, or
/// names what belongs there.
pub(in crate::check) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let (scheme, rest) = text.split_once(' ').unwrap_or_default();
    let text = if SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme)) { rest.trim() } else { text };
    text.is_empty() || is_mask(text) || is_word(text) || is_slot(text)
}

/// What maskers print: nothing but a sign, as `****` and `xxxx`; a word in asterisks, as
/// `***REMOVED***`; or the ends of the secret, as `sk-a***`, `***1234` and `abc...wxyz`.
fn is_mask(text: &str) -> bool {
    let is_of = |sign: char| text.chars().all(|c| c == sign);
    let alone = "*•●█…".chars().any(is_of) || (text.len() > 2 && "xX.-_#".chars().any(is_of));
    alone || is_word(text.trim_matches('*')) || shows_only_ends(text)
}

/// What stands in the middle of a secret of which the ends are shown.
const MASKS: &[&str] = &["***", "•••", "●●●", "███", "...", "…"];

/// How many characters may be seen on each side of a mask.
const ENDS: usize = 5;

/// What stands between the words of a token, and between the groups of a number.
const BETWEEN: [char; 3] = ['-', '_', ' '];

/// Whether little is to be seen beside a mask: at most five characters on each side, not
/// counting the words before them that name a kind of token. So `hunter2***long` is a secret
/// that has asterisks in it, or one of which most is shown.
fn shows_only_ends(text: &str) -> bool {
    if text.bytes().all(|byte| byte.is_ascii() && !matches!(byte, b'*' | b'.')) {
        return false;
    }
    let start = MASKS.iter().filter_map(|mask| text.find(*mask)).min();
    let end = MASKS.iter().filter_map(|mask| Some(text.rfind(*mask)? + mask.len())).max();
    let Some((start, end)) = start.zip(end) else { return false };
    let is_hidden = text[start..end].chars().all(|c| "*•●█.…".contains(c) || BETWEEN.contains(&c));
    let ends = [without_kind(&text[..start]), text[end..].trim_start_matches(BETWEEN)];
    is_hidden && ends.iter().all(|seen| seen.chars().count() <= ENDS)
}

/// The text without `sk-`, `sk_live_`, `Bearer sk-ant-api03-`: short words, the first of
/// letters alone, which are the same in every token of a kind.
fn without_kind(text: &str) -> &str {
    let (kind, rest) = text.split_at(text.rfind(BETWEEN).map_or(0, |at| at + 1));
    let is_short = |word: &str| word.len() <= 6 && word.chars().all(|c| c.is_ascii_alphanumeric());
    let is_of_letters = kind.split(BETWEEN).next().is_some_and(|word| word.chars().all(|c| c.is_ascii_alphabetic()));
    if kind.len() <= 20 && is_of_letters && kind.split(BETWEEN).all(is_short) { rest } else { text }
}

fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// `<redacted>`, `[REDACTED]`, `<your key>`, `${API_KEY}`, `{{ token }}`: a name in brackets.
fn is_slot(text: &str) -> bool {
    let name = text.strip_prefix('$').unwrap_or(text);
    let open = name.len() - name.trim_start_matches(['<', '[', '{', '(']).len();
    let close = name.len() - name.trim_end_matches(['>', ']', '}', ')']).len();
    if open == 0 || open != close || open > 2 {
        return false;
    }
    let name = name[open..name.len() - close].trim();
    let is_of_name = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-' | ' ' | '.' | ':' | '*');
    (1..=64).contains(&name.len()) && name.chars().all(is_of_name)
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn placeholders() {
        let texts = ",  ,*,***,xxx,XXXX,•••,...,…,---,redacted,Removed,NONE,<redacted>,[REDACTED],<your api-key>,\
                     ${API_KEY},{{ token }},<<secret>>,[***], <a> ,***REMOVED***,**masked**,sk-****9f,sk-a***,***1234,\
                     abc...wxyz,ab…yz,AKIA************MPLE,****-****-****-1234,sk_live_****1234,github_pat_***,\
                     sk-ant-api03-R2D...igAA,Bearer ***,Bearer sk-proj-****...****wxyz,sk-...wxyz,●●●●wxyz,hunte***,\
                     Bearer <redacted>,token ${GH_TOKEN},basic [REDACTED]";
        for text in texts.split(',') {
            assert!(is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn what_may_be_a_secret() {
        let texts = "x,xx,a,-,hunter2,secret,changeme,password,<hunter2>,[],<>,<a,a>,<<<a>>>,{a]b,delegated,from-settings,\
                     **a,redacted-1,$API,x1xx,hunter2***long,hunter2***,***hunter2,hunter2-***,correct-horse-***,\
                     a***hunter2***b,h*u*n*t*e*r,...and so on,hunter...2,***removed-1***,xxxx1234,\
                     a-b-c-d-e-f-g-h-i-j-k-***,Bearer hunter2,Bearer,the <redacted>";
        for text in texts.split(',') {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
