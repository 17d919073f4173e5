//! Ctrl-C in the middle of an answer.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use throughline_testserver::Answer;

use super::home::{Home, Ran};
use super::service::{KEY, Service};
use crate::for_each_service;

for_each_service!(an_interrupt_ends_the_turn_and_keeps_the_session);

/// A process that does not outlive the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn an_interrupt_ends_the_turn_and_keeps_the_session(service: Service) {
    let home = Home::new();
    let slow =
        Answer::text(&"Word after word after word. ".repeat(1_000)).wait_each(Duration::from_millis(50));
    let server = service.server([slow, Answer::text("As I was saying."), Answer::text("Now this.")]);
    let mut command = service.run(&home, &server.url(), KEY);
    command.args(["--output", "stream-json", "Tell me a story."]);
    let mut running = Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(running.0.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut printed = lines.by_ref().map(|line| serde_json::from_str::<Value>(&line).unwrap());
    let mut heard = String::new();
    let piece =
        |object: &Value| object["text"].as_str().filter(|_| object["type"] == "text").map(str::to_owned);
    while !heard.contains("Word after word") {
        heard.push_str(&printed.by_ref().find_map(|object| piece(&object)).unwrap());
    }

    let stopped = Instant::now();
    let sent = Command::new("kill").args(["-INT", &running.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let last = printed.last().unwrap();
    assert_eq!(running.0.wait().unwrap().code(), Some(130));
    assert!(stopped.elapsed() < Duration::from_secs(20), "{:?}", stopped.elapsed());
    assert_eq!((&last["type"], &last["outcome"]), (&"result".into(), &"interrupted".into()), "{last}");

    // The question is still open: without a word, the same session continues with it, and then with another one.
    let mut next = service.run(&home, &server.url(), KEY);
    let next = Ran::of(next.args(["-c", "--output", "json"])).ended(0).object();
    assert_eq!((&next["text"], &next["session"]), (&"As I was saying.".into(), &last["session"]));
    let mut next = service.run(&home, &server.url(), KEY);
    let next = Ran::of(next.args(["-c", "--output", "json", "And now?"])).ended(0).object();
    assert_eq!((&next["text"], &next["session"]), (&"Now this.".into(), &last["session"]));

    let asked: Vec<_> =
        server.received().into_iter().filter(|request| request.path == service.protocol().path()).collect();
    assert_eq!(asked.len(), 3);
    assert!(asked[0].hung_up, "the answer was not waited for");
    let bodies: Vec<String> = asked.iter().map(|request| request.body.to_string()).collect();
    assert!(bodies.iter().all(|body| body.contains("Tell me a story.")));
    for later in bodies.iter().skip(1) {
        // The partial answer, the note that it was stopped, and the request to continue.
        for part in ["Word after word", "[The turn was stopped here", "[continue]"] {
            assert!(later.contains(part), "{part}: {later}");
        }
    }
    assert!(bodies[2].contains("As I was saying.") && bodies[2].contains("And now?"), "{}", bodies[2]);
    assert!(asked.iter().all(|request| request.faults.is_empty()), "{asked:?}");
}
