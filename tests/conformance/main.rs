//! The conformance corpus: the verdicts of the reference implementations.

use std::process::ExitCode;

#[path = "../common/mod.rs"]
mod common;

mod agui;
mod agui_official;
mod lime;
mod polling;
mod social_app;

fn main() -> ExitCode {
    let all = [agui::TESTS, agui_official::TESTS, lime::TESTS, polling::TESTS, social_app::TESTS];
    common::run_corpus_tests(all.into_iter().flatten())
}
