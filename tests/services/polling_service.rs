//! The server and the client of the examples, over the loopback: a task is followed to its
//! end through connections that break and a buffer that overruns.

#[allow(dead_code, reason = "the example's main function")]
#[path = "../../examples/poll_client.rs"]
mod poll_client;
#[allow(dead_code, reason = "the example's main function")]
#[path = "../../examples/poll_server.rs"]
mod poll_server;

use std::io::{Read, copy};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use agent_contracts::polling::TaskStatus;
use poll_client::{Seen, follow, run};
use poll_server::{Task, Tasks, serve};

/// A server of these tasks.
fn server(tasks: Tasks) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            serve(listener, tasks).await.unwrap();
        });
    });
    address
}

/// A way to the server that breaks: the first connections carry so many bytes of answers.
fn breaking(server: SocketAddr, bytes: &'static [u64]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let limits = bytes.iter().copied().chain(std::iter::repeat(u64::MAX));
        for (client, limit) in listener.incoming().zip(limits) {
            let (mut client, server) = (client.unwrap(), TcpStream::connect(server).unwrap());
            let (mut asks, mut asked) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            thread::spawn(move || copy(&mut asks, &mut asked));
            thread::spawn(move || {
                // Either side may be gone by now, which is what this is for.
                let _ = copy(&mut (&server).take(limit), &mut client);
                let _ = client.shutdown(Shutdown::Both);
                let _ = server.shutdown(Shutdown::Both);
            });
        }
    });
    address
}

#[test]
fn a_task_runs_from_its_message_to_its_end() {
    let url = format!("http://{}", server(Tasks::default()));
    let mut indices = Vec::new();
    let seen = |seen: Seen<'_>| {
        if let Seen::Event(envelope) = seen {
            indices.push(envelope.idx.as_u64().unwrap());
        }
    };
    let (status, text) = run(&url, "one two three", seen).unwrap();
    assert_eq!((status, text.as_str()), (TaskStatus::Succeeded, "one two three"));
    assert_eq!(indices, (0..7).collect::<Vec<u64>>());
}

#[test]
fn a_client_recovers_from_broken_connections_and_from_an_overrun() {
    let task = Arc::new(Task::new("task_1", 16));
    let mut whole = String::new();
    let mut say = |count: usize| {
        for _ in 0..count {
            let word = format!("{} ", whole.len());
            task.say(&word);
            whole += &word;
        }
    };
    say(8);

    let tasks = Tasks::default();
    tasks.lock().unwrap().insert("task_1".to_owned(), Arc::clone(&task));
    // In the body of the first answer, then in the head of the second.
    let url = format!("http://{}", breaking(server(tasks), &[400, 20, 5000]));

    let (mut indices, mut resumed, mut lost) = (Vec::new(), Vec::new(), 0);
    let (status, text) = follow(&url, "task_1", |seen| match seen {
        Seen::Event(envelope) => {
            indices.push(envelope.idx.as_u64().unwrap());
            // While the client is busy with the first events the server's buffer overruns.
            if indices.len() == 5 {
                say(40);
            }
        }
        Seen::Resumed(offset) => {
            resumed.push(offset);
            say(6);
            task.finish();
        }
        Seen::Lost => lost += 1,
    })
    .unwrap();

    assert_eq!((status, text), (TaskStatus::Succeeded, whole));
    assert_eq!(resumed, [50], "two events, 8 words and 40 words");
    assert_eq!(indices, (0..10).chain(50..58).collect::<Vec<u64>>());
    assert!(lost >= 2, "{lost} answers were lost");
}

#[test]
fn a_task_that_is_not_there_is_gone() {
    let url = format!("http://{}", server(Tasks::default()));
    let failure = follow(&url, "nobody", |_| {}).unwrap_err();
    assert_eq!(failure.to_string(), "the server has no such task");
}
