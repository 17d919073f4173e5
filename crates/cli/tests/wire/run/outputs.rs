//! One task in each of the three formats.

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, ToolCall};
use throughline_testserver::{Answer, Server};

use super::home::{Home, Ran};
use super::service::{KEY, Service};
use crate::aimock::{self, Aimock, TEST_ID};
use crate::for_each_service;

for_each_service!(as_text, as_one_object, as_a_stream);

const ASKED: &str = "Please read the note.";
const ANSWER: &str = "The note says that the colour is teal.";

/// Who answers: the mock of others, or our server where the mock is no such service.
enum Peer {
    Mock(Arc<Aimock>, String),
    Own(Server),
}

impl Peer {
    fn of(service: Service, test: &str) -> Self {
        if service != Service::Ollama {
            return Self::Mock(Aimock::running(), format!("run-{}-{test}", service.name()));
        }
        let call =
            ToolCall { id: String::new(), name: "read_file".to_owned(), input: json!({"path": "note.txt"}) };
        let text = ContentBlock::Text { text: "I read it.".to_owned() };
        let answers = [Answer::blocks(vec![text, ContentBlock::ToolCall(call)]), Answer::text(ANSWER)];
        Self::Own(service.server(answers))
    }

    /// A run that is over, with nothing else on the command line than these words.
    fn run(&self, service: Service, home: &Home, words: &[&str], input: Option<&str>) -> Ran {
        let mut command = match self {
            Self::Mock(mock, test) => {
                let mut command = service.run(home, &mock.url(), aimock::KEY);
                if service != Service::Compatible {
                    // A header goes to no provider that was not named. An address names one.
                    command.args(["--provider", service.provider()]);
                }
                command.args(["--header", &format!("{TEST_ID}: {test}")]);
                command
            }
            Self::Own(server) => service.run(home, &server.url(), KEY),
        };
        command.args(words);
        match input {
            Some(input) => Ran::with_input(&mut command, input),
            None => Ran::of(&mut command),
        }
    }

    /// Requests that it answered.
    fn requests(&self) -> usize {
        match self {
            Self::Mock(mock, test) => mock.journal(test).len(),
            Self::Own(server) => {
                server.received().iter().filter(|request| request.path == "/api/chat").count()
            }
        }
    }
}

fn as_text(service: Service) {
    let (home, peer) = (Home::new(), Peer::of(service, "text"));
    let ran = peer.run(service, &home, &[ASKED], None).ended(0);
    assert_eq!(ran.out, format!("{ANSWER}\n"));
    for progress in ["→ read_file {\"path\":\"note.txt\"}", "← read_file: "] {
        assert!(ran.err.contains(progress), "{ran:?}");
    }
    assert_eq!(peer.requests(), 2);
}

fn as_one_object(service: Service) {
    let (home, peer) = (Home::new(), Peer::of(service, "json"));
    // The prompt comes on standard input.
    let ran = peer.run(service, &home, &["--output", "json", "-"], Some(ASKED)).ended(0);
    let printed = ran.object();
    let expected = [
        ("type", json!("result")),
        ("outcome", json!("done")),
        ("is_error", json!(false)),
        ("error", Value::Null),
        ("text", json!(ANSWER)),
        ("stop", json!("end_turn")),
        ("requests", json!(2)),
        ("provider", json!(service.provider())),
        ("model", json!(service.protocol().model_name())),
    ];
    for (field, value) in expected {
        assert_eq!(printed[field], value, "{field} of {printed}");
    }
    assert!(printed["session"].as_str().is_some_and(|session| session.starts_with("run-")), "{printed}");
    assert!(!ran.err.contains("read_file"), "progress is for people: {}", ran.err);
    assert_eq!(peer.requests(), 2);
}

fn as_a_stream(service: Service) {
    let (home, peer) = (Home::new(), Peer::of(service, "stream"));
    let objects = peer.run(service, &home, &["--output", "stream-json", ASKED], None).ended(0).objects();
    let of = |kind: &str| objects.iter().filter(|object| object["type"] == kind).collect::<Vec<_>>();
    let (first, last) = (&objects[0], &objects[objects.len() - 1]);
    assert_eq!((&first["type"], &first["provider"]), (&json!("session"), &json!(service.provider())));
    assert_eq!((&last["type"], &last["text"]), (&json!("result"), &json!(ANSWER)));
    assert_eq!(first["session"], last["session"]);
    let texts: String = of("text").iter().filter_map(|object| object["text"].as_str()).collect();
    assert_eq!(texts, format!("I read it.{ANSWER}"));
    let (started, finished) = (of("tool_started"), of("tool_finished"));
    assert_eq!((started.len(), finished.len(), of("request").len(), of("answered").len()), (1, 1, 2, 2));
    assert_eq!(
        (&started[0]["name"], &started[0]["input"]["path"]),
        (&json!("read_file"), &json!("note.txt"))
    );
    assert_eq!((&finished[0]["call_id"], &finished[0]["is_error"]), (&started[0]["call_id"], &json!(false)));
    assert!(finished[0]["output"].as_str().is_some_and(|output| !output.is_empty()), "{}", finished[0]);
    assert_eq!(peer.requests(), 2);
}
