//! Rules as SARIF describes them.

use serde_json::{Map, Value, json};

use crate::check::{Code, Rule, Severity};
use crate::cli::describe;

/// An object of the members that there are.
pub(super) fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let there = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(there.collect::<Map<_, _>>())
}

/// The descriptor of a rule. There is no rule of the id where a report names one of its own.
pub(super) fn descriptor(id: &str, rule: Option<&Rule>) -> Value {
    let Some(rule) = rule else { return json!({"id": id}) };
    json!({
        "id": id,
        "name": pascal(rule.name()),
        "shortDescription": {"text": rule.when()},
        "fullDescription": {"text": format!("{}: {}. {}.", rule.applies_to(), rule.when(), rule.why())},
        "help": {"text": text(rule), "markdown": markdown(rule)},
        "defaultConfiguration": {"level": rule.severity().as_str()},
        "properties": properties(rule),
    })
}

/// `TextContentWithoutStart` for `text-content-without-start`.
fn pascal(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('-').map(capital).collect()
}

fn text(rule: &Rule) -> String {
    let parts: String = describe::parts(rule).iter().map(|(label, text)| format!("{label}: {text}\n")).collect();
    let examples: String = describe::examples(rule).map(|(label, example)| format!("\n{label}:\n{example}")).collect();
    parts + &examples
}

fn markdown(rule: &Rule) -> String {
    let parts: String = describe::parts(rule).iter().map(|(label, text)| format!("- **{label}**: {text}\n")).collect();
    let examples: String = describe::examples(rule)
        .map(|(label, example)| {
            let longest = example.split(|c| c != '`').map(str::len).max().unwrap_or(0);
            let fence = "`".repeat(longest.max(2) + 1);
            format!("\n**{label}**\n\n{fence}text\n{example}{fence}\n")
        })
        .collect();
    parts + &examples
}

/// What GitHub filters and sorts by. A secret that is out is a matter of security.
fn properties(rule: &Rule) -> Value {
    let group = rule.id().split('/').next().unwrap_or_default();
    let is_secret = rule.code() == Code::SecretLeakRisk;
    // The rules of `test` are about fixtures, so their code says nothing.
    let code = (group != "test").then(|| rule.code().as_str());
    let tags: Vec<&str> = [Some(group), code, is_secret.then_some("security")].into_iter().flatten().collect();
    let (grade, score) = match rule.severity() {
        Severity::Error => ("error", "8.0"),
        Severity::Warning => ("warning", "5.0"),
        Severity::Note => ("recommendation", "2.0"),
    };
    object([
        ("tags", Some(tags.into())),
        ("precision", Some("high".into())),
        ("problem.severity", Some(grade.into())),
        ("security-severity", is_secret.then(|| score.into())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// GitHub refuses rules without these texts, and cuts longer ones.
    #[test]
    fn every_rule_has_the_texts_that_github_needs() {
        for rule in describe::rules() {
            let descriptor = descriptor(rule.id(), Some(rule));
            for member in ["shortDescription", "fullDescription"] {
                let text = descriptor[member]["text"].as_str().unwrap_or_default();
                assert!((1..=1024).contains(&text.chars().count()), "{rule}: {member}");
            }
            let name = descriptor["name"].as_str().unwrap_or_default();
            assert!(name.starts_with(|c: char| c.is_ascii_uppercase()) && name.len() <= 255, "{rule}: {name}");
        }
    }
}
