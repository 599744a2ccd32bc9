//! What stands where a secret was, or will be.

/// Words that say that something was left out.
const WORDS: &[&str] =
    &["redacted", "masked", "hidden", "removed", "omitted", "filtered", "scrubbed", "elided", "none", "null", "n/a"];

/// Whether a value is no secret: it is empty, or says that something was left out, or
/// names what belongs there.
pub(super) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || is_mask(text) || is_word(text) || is_slot(text)
}

/// `***`, `xxxx`, and what shows only the ends: `sk-****9f`.
fn is_mask(text: &str) -> bool {
    let is_of = |sign: char| text.chars().all(|c| c == sign);
    let alone = "*•●█…".chars().any(is_of) || (text.len() > 2 && "xX.-_#".chars().any(is_of));
    alone || text.contains("***") || text.contains("•••")
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
        let texts = ",  ,*,***,xxx,XXXX,•••,...,…,---,sk-****9f,redacted,Removed,NONE,<redacted>,[REDACTED],<your api-key>,\
                     ${API_KEY},{{ token }},<<secret>>,[***], <a> ";
        for text in texts.split(',') {
            assert!(is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn what_may_be_a_secret() {
        let texts = "x,xx,a,-,hunter2,secret,changeme,password,<hunter2>,[],<>,<a,a>,<<<a>>>,{a]b,delegated,from-settings,\
                     **a,redacted-1,$API,x1xx";
        for text in texts.split(',') {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
