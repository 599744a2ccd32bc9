//! Files are checked several at a time, and nobody can tell from the output.
#![cfg(feature = "cli")]

use crate::common::command::{Scene, recording};

/// Recordings with findings, answers to polls that are one stream, files that nothing is
/// recognised in, and one that cannot be unpacked.
fn folder() -> Scene {
    let folder = Scene::repository(&[("notes.txt", "no protocol\n"), ("broken.jsonl.gz", "\u{1f}no")]);
    for file in 0..40 {
        let kinds = ["c", "ce", "cwe", "eeee"][file % 4].repeat(1 + file * 7 % 30);
        folder.write(&format!("runs/{:02}/{file}.jsonl", file % 5), recording(&kinds));
    }
    for answer in 0..6 {
        let event = format!(r#"{{"idx":{answer},"type":"text_chunk","data":{{"content":"a"}},"ts":1700000000}}"#);
        let next = if answer == 3 { 9 } else { answer + 1 };
        let answer_text = format!(
            r#"{{"success":true,"data":{{"task_id":"t","status":"running","events":[{event}],"next_from":{next}}}}}"#
        );
        folder.write(&format!("polls/{answer}.json"), &answer_text);
        // Of lines, each file is a recording by itself.
        folder.write(&format!("lines/{answer}.jsonl"), answer_text);
    }
    folder
}

#[test]
fn the_output_is_the_same_whatever_the_number_of_threads() {
    let folder = folder();
    for options in ["", "--format json", "--format agent", "--format sarif", "--verbose", "--max-findings 7 -v"] {
        let run = |threads: usize| {
            let run = folder.run_line(&format!("check {options} --threads {threads} ."));
            (run.status, run.stdout, run.stderr)
        };
        let alone = run(1);
        assert!(alone.0 == Some(1) && alone.1.contains("polling/response-shape"), "{alone:?}");
        for threads in [2, 3, 16, 0] {
            assert_eq!(run(threads), alone, "{options} with {threads}");
        }
    }
}
