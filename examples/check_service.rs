//! A service that checks an AG-UI stream while the bytes pass through it.
//!
//! `cargo run --example check_service`
#![allow(clippy::print_stdout, reason = "the example shows what it finds")]

use std::error::Error;
use std::io::Read;

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Limits, Severity};
use agent_contracts::stream::{Findings, Framing, StreamChecker};

/// What an agent sent. The text message that ends was never opened.
const BODY: &str = r#"data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1"}

data: {"type":"TEXT_MESSAGE_END","messageId":"msg_1"}

data: {"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}

"#;

/// Logs findings and counts the errors among them. Nothing in the text of a finding, or in
/// its excerpt, is a value of the payload, so both may go into a log.
fn log(findings: Findings<'_>) -> usize {
    let mut errors = 0;
    for finding in findings {
        match finding.location {
            Some(place) => println!("{}:{}: {} ({})", place.line, place.column, finding, finding.path),
            None => println!("end of the stream: {finding}"),
        }
        println!("    {}", finding.excerpt().text);
        errors += usize::from(finding.severity == Severity::Error);
    }
    errors
}

fn main() -> Result<(), Box<dyn Error>> {
    // In a service this is the body of a response.
    let mut source = BODY.as_bytes();
    let checker = Checker::builder(Protocol::AGUI).limits(Limits::DEFAULT.with_frame_bytes(1024 * 1024)).build();
    let mut stream = StreamChecker::of(checker, Framing::Sse);
    let mut errors = 0;
    let mut chunk = [0; 48];
    loop {
        let count = source.read(&mut chunk)?;
        if count == 0 {
            break;
        }
        // Here a relay would send the chunk on; the checker only looks.
        errors += log(stream.push(&chunk[..count]));
    }
    // A relay whose connection was dropped calls `abandon` instead.
    errors += log(stream.finish());
    println!("errors: {errors}");
    Ok(())
}
