//! What of an answer reaches a front end.

use std::sync::Mutex;

use throughline_agent::{Event, EventSink};

use super::AnswerSink;

#[derive(Debug, Default)]
struct Heard(Mutex<Vec<String>>);

impl EventSink for Heard {
    fn emit(&self, event: Event) {
        let text = match event {
            Event::Text(text) => text,
            Event::Withdrawn { .. } => "<withdrawn>".to_owned(),
            other => format!("<{}>", format!("{other:?}").split(' ').next().unwrap()),
        };
        self.0.lock().unwrap().push(text);
    }
}

fn heard(events: impl IntoIterator<Item = Event>) -> String {
    let heard = Heard::default();
    let sink = AnswerSink::new(&heard);
    events.into_iter().for_each(|event| sink.emit(event));
    heard.0.into_inner().unwrap().concat()
}

fn texts(parts: &[&str]) -> Vec<Event> {
    parts.iter().map(|part| Event::Text((*part).to_owned())).collect()
}

fn ended() -> Event {
    Event::TurnEnded { stop: None, error: None }
}

#[test]
fn documents_are_left_out_of_the_parts_of_an_answer() {
    let parts = ["Done.\n", "\n##", "# STA", "TE\nGoal: g\n", "SCRATCH", "PAD:a\n", "b"];
    let all = texts(&parts).into_iter().chain([ended()]);
    assert_eq!(heard(all), "Done.\n<TurnEnded>");
    let plain = ["# Title\n", "S", "ome #", " text\n\n", "end"];
    let all = texts(&plain).into_iter().chain([ended()]);
    assert_eq!(heard(all), "# Title\nSome # text\n\nend<TurnEnded>");
}

#[test]
fn an_answer_that_is_withdrawn_leaves_nothing() {
    let mut all = texts(&["SCRATCHPAD:a\n"]);
    all.push(Event::Withdrawn { why: "it broke off".to_owned() });
    all.extend(texts(&["Second.\n", "#"]));
    all.push(ended());
    assert_eq!(heard(all), "<withdrawn>Second.\n#<TurnEnded>");
}
