//! Fixtures: they run alike every time, and one that was rewritten holds and is left as it is.
#![no_main]

use agent_contracts::cli::fuzzing::fixture;
use agent_contracts_fuzz::canary::{assert_hidden, planted};
use agent_contracts_fuzz::draw::Draw;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(Err(message)) = planted(text, &mut Draw::of(data)).map(|planted| fixture(&planted)) {
        assert_hidden(&message);
    }
    match fixture(text) {
        Err(message) => assert!(!message.contains(char::is_control), "{message:?}"),
        Ok(ran) => {
            let Some(blessed) = ran.blessed else { return };
            let again = fixture(&blessed).unwrap_or_else(|message| panic!("{message}: {blessed}"));
            assert!(again.holds, "{blessed}");
            assert_eq!(again.findings, ran.findings, "{blessed}");
            assert_eq!(again.blessed.as_deref(), Some(blessed.as_str()));
        }
    }
});
