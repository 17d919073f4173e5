//! The newest messages of a resumed session.

use throughline_continuity::stop_note;
use throughline_conversation::{Message, MessageRecord, Millis, Record, RecordBody, Source};
use throughline_testkit::{WordCounter, view};

use super::*;

#[test]
fn a_stopped_turn_shows_its_text_and_where_it_stopped() {
    let mut view = view("user: Go.\nassistant: First I wri");
    for message in [stop_note(), Message::user("[go on]")] {
        let record = MessageRecord { message, source: Source::Engine, usage: None };
        let (seq, exchange) = (view.last().next(), view.entries()[0].exchange);
        let record = Record { seq, at: Millis(0), exchange, body: RecordBody::Message(record) };
        view.apply(&record, &WordCounter).unwrap();
    }
    expect_test::expect![[r#"
        [User("Go."), Assistant("First I wri"), Notice("the turn was stopped here")]"#]]
    .assert_eq(&format!("{:?}", restored(&view)));
}
