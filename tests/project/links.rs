//! The links of the pages lead somewhere: to a file of the repository, and to a heading that is there.

use crate::common::{Failures, pages, repository};

/// The lines outside of blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    })
}

/// What links to a heading have behind `#`.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The targets of the links in a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

#[test]
fn links_lead_somewhere() {
    let mut failures = Failures::default();
    for (page, text) in pages(&["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "schemas/README.md"]) {
        let page = repository().join(page);
        for link in prose(&text).flat_map(links).filter(|link| !link.starts_with("http")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let is_heading = |line: &str| line.starts_with('#') && anchor(line) == heading;
            let is_there = if heading.is_empty() {
                target.exists()
            } else {
                std::fs::read_to_string(&target).is_ok_and(|text| prose(&text).any(is_heading))
            };
            failures.check(is_there, || format!("{}: {link} leads nowhere", page.display()));
        }
    }
    failures.finish(50);
}
