//! The rules about a live connection: what `agent-contracts record` sees and a recording
//! no longer shows.

use crate::check::rule::rules;

rules! { Http, "http";
    STATUS = "status" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "the response",
        when: "its status is not 2xx, after redirects were followed",
        why: "a client takes the body for an error, and reads no events from it",
        help: "look at what the server logged, and at the body of its answer, which `--output FILE` keeps in FILE.failed",
    }
    CONTENT_TYPE = "content-type" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "the response",
        when: "its content type is not that of its body; a warning where the body is JSON lines or one document",
        why: "browsers close an event stream that does not say `text/event-stream`, and proxies buffer it",
        help: "send `content-type: text/event-stream`, `application/x-ndjson` for lines, or `application/json` for a document",
    }
    COMPRESSED = "compressed" {
        code: FramingError, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "the response",
        when: "its body is compressed although that was not asked for; an error if it cannot be unpacked or is damaged, since not all of it is checked then",
        why: "compression collects bytes before it passes them on, so events come late and in bursts",
        help: "leave event streams out of compression, in the service and in the proxies before it",
    }
    BUFFERED = "buffered" {
        code: FramingError, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "a stream of several events",
        when: "its answer came whole, with three events or more, and all of it at once after a wait; --buffered says how long a wait",
        why: "a user looks at nothing until the run is over",
        help: "flush after each event, and turn buffering off in the proxies before the service (`x-accel-buffering: no`)",
    }
    NO_KEEP_ALIVE = "no-keep-alive" {
        code: FramingError, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "the connection",
        when: "nothing comes for longer than --keep-alive says",
        why: "proxies and load balancers cut connections on which nothing comes, many after 60 seconds",
        help: "send a comment, a line that begins with a colon, every 15 seconds while there is no event",
    }
    CUT = "cut" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "the connection",
        when: "it breaks off before the body is complete",
        why: "the last events are lost, and a client cannot tell whether the run goes on",
        help: "look for a crash or a time limit in the service, or in a proxy before it",
    }
    NOT_ENDED = "not-ended" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "the connection",
        when: "--max-time ran out while something that has to end, such as a run, was still active",
        why: "a page that reads the stream shows the run as running for as long as the connection is open",
        help: "send the last event of each run; if runs take longer, raise --max-time",
    }
    SECRET_ECHOED = "secret-echoed" {
        code: SecretLeakRisk, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "the response",
        when: "its body, type, encoding or location repeats a credential from the URL, or the value of a header that the user has set; a warning if the header is not known to hold a credential",
        why: "whatever keeps or shows the stream then holds the credential",
        help: "keep request headers out of events and error bodies, and revoke the credential if the stream was shared",
    }
}
