//! Calls that name no tool: some servers never tell the name of a call.

use serde_json::{Value, json};
use throughline_completion::Reply;
use throughline_continuity::MessageLog;
use throughline_conversation::{
    ContentBlock, ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, Source, ToolCall,
    ToolResult,
};
use throughline_testkit::render;

use crate::harness::{World, echo, session, turn};

fn nameless(input: Value) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall { id: "c1".to_owned(), name: String::new(), input })
}

#[tokio::test]
async fn a_call_without_a_name_is_answered_and_the_session_continues() {
    let odd = vec![nameless(json!("ls")), echo("c2", 2)];
    let world = World::new(4_000, [Reply::Say(odd), Reply::text("I see."), Reply::text("Still here.")]);
    let mut agent = world.agent().await;
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "I see.");
    assert_eq!(turn(&mut agent, "And now?").await.0.unwrap().text, "Still here.");
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("-> c1 unknown_tool {\"value\":\"ls\"}"), "{shown}");
    assert!(shown.contains("c1 ! There is no tool named \"unknown_tool\""), "{shown}");
    assert!(shown.contains("c2 = c2_0 c2_1"), "{shown}");
    // The log says the same as the view, in a later run too.
    drop(agent);
    let again = world.agent().await;
    assert_eq!(render(again.view().transcript().messages()), shown);
}

#[tokio::test]
async fn a_session_that_already_holds_one_continues() {
    let world = World::new(4_000, [Reply::text("Now I can.")]);
    let answer = Message { content: vec![nameless(json!({}))], ..Message::assistant("") };
    let results = Message::results([ToolResult::error("c1", "There is no tool named \"\".")]);
    let said = [
        (Message::user("Go."), Source::User),
        (answer, Source::Model("scripted".to_owned())),
        (results, Source::Tools),
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
    world.log.append(&session(), &records).await.unwrap();
    let mut agent = world.agent().await;
    assert_eq!(turn(&mut agent, "And now?").await.0.unwrap().text, "Now I can.");
    // It was closed with a snapshot by a version that kept it as it came.
    agent.close(&throughline_agent::NullSink).await;
    world.model.extend([Reply::text("Again.")]);
    let mut agent = world.agent().await;
    assert_eq!(turn(&mut agent, "Once more?").await.0.unwrap().text, "Again.");
}
