//! A service that checks an AG-UI stream while the bytes pass through it.
//!
//! `cargo run --example check_service`
#![allow(clippy::print_stdout, reason = "the example shows what it finds")]

use std::error::Error;
use std::io::Read;

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Limits, Severity};
use agent_contracts::wire::sse::Parser;

/// What an agent sent. The text message that ends was never opened.
const BODY: &str = r#"data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1"}

data: {"type":"TEXT_MESSAGE_END","messageId":"msg_1"}

data: {"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}

"#;

/// The state of one stream: where its frames begin and what its events have done.
struct Watch {
    parser: Parser,
    checker: Checker,
    errors: usize,
}

impl Watch {
    fn new(protocol: Protocol) -> Self {
        // The parser bounds a frame, the checker what it remembers.
        let limits = Limits::DEFAULT.with_frame_bytes(1024 * 1024);
        Self {
            parser: Parser::with_limit(limits.frame_bytes),
            checker: Checker::builder(protocol).limits(limits).build(),
            errors: 0,
        }
    }

    /// Takes the next bytes, cut anywhere.
    fn push(&mut self, bytes: &[u8]) {
        let Self { parser, checker, errors } = self;
        parser.push(bytes, |item| *errors += log(checker.push_sse(item)));
    }

    /// Ends the stream: a frame that is still open, then what only the end shows.
    fn finish(mut self) -> usize {
        let Self { parser, checker, errors } = &mut self;
        parser.finish(|item| *errors += log(checker.push_sse(item)));
        *errors += log(checker.finish());
        self.errors
    }
}

/// Logs findings and counts the errors among them. Nothing in the text of a finding is a
/// value of the payload, so it may go into a log.
fn log(findings: &[Finding]) -> usize {
    for finding in findings {
        match finding.location {
            Some(place) => println!("{}:{}: {finding} ({})", place.line, place.column, finding.path),
            None => println!("end of the stream: {finding}"),
        }
    }
    findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

fn main() -> Result<(), Box<dyn Error>> {
    // In a service this is the body of a response.
    let mut source = BODY.as_bytes();
    let mut watch = Watch::new(Protocol::AgUi);
    let mut chunk = [0; 48];
    loop {
        let count = source.read(&mut chunk)?;
        if count == 0 {
            break;
        }
        // Here a relay would send the chunk on; the checker only looks.
        watch.push(&chunk[..count]);
    }
    println!("errors: {}", watch.finish());
    Ok(())
}
