//! What the fuzz targets ask of the command line, and nobody else can.

use annotate_snippets::Renderer;

use super::console::shown;
use super::expect::with_expectation;
use super::fixtures::parse;
use super::output::human::render;
use crate::check::Finding;
use crate::check::excerpt::Excerpts;

/// A finding about `text` as people are shown it, without colours.
pub fn human(file: &str, finding: &Finding, text: &[u8]) -> String {
    render(&Renderer::plain(), &shown(file), finding, &mut Excerpts::new(text))
}

/// What became of a fixture.
#[derive(Debug)]
pub struct Ran {
    /// What was found.
    pub findings: Vec<Finding>,
    /// Whether that is what it expects.
    pub holds: bool,
    /// Its text as `--bless` rewrites it, if there is an expectation to rewrite.
    pub blessed: Option<String>,
}

/// Runs the fixture of that text.
///
/// # Errors
/// When the text is no fixture, or names what there is not.
pub fn fixture(text: &str) -> Result<Ran, String> {
    let fixture = parse(text)?;
    let findings = fixture.run()?;
    let holds = fixture.holds(&findings);
    let blessed = with_expectation(text, &findings);
    Ok(Ran { findings, holds, blessed })
}
