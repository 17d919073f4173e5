//! Messages that say nothing: refused from the user, left out of what the model says, and left out of the view of a log that has them.

use std::sync::Arc;

use throughline_continuity::{InMemoryMessageLog, MessageLog as _};
use throughline_conversation::{
    ContentBlock, ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Role, Seq, Source, Thinking,
};
use throughline_engine::{Answered, EngineError, Synced, TurnError};
use throughline_tools::ToolOutput;

use super::harness::{answer, call, id, open, request};

fn text(said: &str) -> ContentBlock {
    ContentBlock::Text { text: said.to_owned() }
}

fn thinking() -> ContentBlock {
    ContentBlock::Thinking(Thinking { text: "Hm.".to_owned(), signature: None, redacted: None })
}

fn of_model(content: Vec<ContentBlock>) -> Message {
    Message { role: Role::Assistant, content }
}

#[tokio::test]
async fn a_blank_message_of_the_user_is_refused_and_changes_nothing() {
    let log: Arc<InMemoryMessageLog> = Arc::default();
    let mut engine = open(&log).await;
    for blank in ["", " \n"] {
        let refused = engine.user(Message::user(blank)).await.unwrap_err();
        assert!(matches!(refused, EngineError::Turn(TurnError::EmptyMessage)), "{refused}");
    }
    assert_eq!(log.last(&id()).await.unwrap(), Seq(0));
    engine.user(Message::user("Dump.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.user(Message::user(" ")).await.unwrap_err();
    engine.answer(asked, answer(call("c1"))).await.unwrap();
    engine.keyed("k").user(Message::user(" ")).await.unwrap_err();
    engine.results([("c1".to_owned(), ToolOutput::text("rows"))]).await.unwrap();
    let refused = engine.interject(Message::user("\t")).await.unwrap_err();
    assert!(matches!(refused, EngineError::Turn(TurnError::EmptyMessage)), "{refused}");
    request(&mut engine).await;
    assert_eq!(open(&log).await.view().entries().len(), 3);
}

#[tokio::test]
async fn blank_texts_of_an_answer_are_left_out() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.user(Message::user("Dump.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    let mut said = of_model(vec![text("So:")]);
    said.content.extend(call("c1").content);
    said.content.push(text(" \n"));
    engine.answer(asked, answer(said)).await.unwrap();
    engine.results([("c1".to_owned(), ToolOutput::text("rows"))]).await.unwrap();
    let asked = request(&mut engine).await.id;
    assert_eq!(engine.view().entries()[1].message.content.len(), 2);
    let empty = engine.answer(asked, answer(of_model(vec![thinking(), text(" ")]))).await.unwrap();
    assert_eq!(empty, Answered::Request, "it is asked once more");
    request(&mut engine).await;
    request(&mut open(&log).await).await;
}

#[tokio::test]
async fn a_list_with_messages_that_say_nothing_is_the_same_list_again_after_a_restart() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    let mut said = call("c1");
    said.content.insert(0, text(" "));
    let rows = super::harness::result("c1", "rows");
    let list = [
        Message::user("Dump."),
        said,
        rows,
        of_model(vec![thinking()]),
        Message::user(""),
        Message::user("And now?"),
    ];
    engine.sync(&list).await.unwrap();
    request(&mut engine).await;
    assert_eq!(engine.view().entries().len(), 4);
    let again = open(&log).await.sync(&list).await.unwrap();
    assert_eq!(again, Synced { known: list.len(), appended: 0, hidden: 0 });
}

#[tokio::test]
async fn a_log_with_messages_that_say_nothing_can_be_continued() {
    let log: Arc<InMemoryMessageLog> = Arc::default();
    let blank = Message { role: Role::User, content: Vec::new() };
    let said = [
        (Message::user("Hi."), Source::User),
        (of_model(vec![text("Hello."), text(" ")]), Source::Model("test".to_owned())),
        (blank, Source::User),
        (Message::user(" "), Source::User),
        (of_model(vec![thinking()]), Source::Model("test".to_owned())),
        (Message::user("Still there?"), Source::User),
    ];
    let records: Vec<Record> = (1..)
        .zip(said)
        .map(|(seq, (message, source))| Record {
            seq: Seq(seq),
            at: Millis(0),
            exchange: ExchangeId(1),
            body: RecordBody::Message(MessageRecord { message, source, usage: None }),
        })
        .collect();
    log.append(&id(), &records).await.unwrap();
    let mut engine = open(&log).await;
    request(&mut engine).await;
    let shown: Vec<String> = engine.view().entries().iter().map(|entry| entry.message.text()).collect();
    assert_eq!(shown, ["Hi.", "Hello.", "Still there?"]);
    engine.close().await;
    assert_eq!(open(&log).await.view().violations(), []);
}
