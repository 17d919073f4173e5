//! Pictures in the results of tools: checked when they arrive, stored when they leave the view, and shown again.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use throughline_agent::{Agent, DerivedPorts, Event, NullSink};
use throughline_completion::{CompletionRequest, Reply};
use throughline_continuity::InMemorySessionDirectory;
use throughline_conversation::{ExchangeId, Image, Message, ResultRef, ToolCall, ToolDefinition, ToolOrigin};
use throughline_memory::InMemoryMemory;
use throughline_resultstore::ResultRepository;
use throughline_tools::{Tool, ToolContext, ToolOutput, check_picture};

use crate::harness::{World, session, tool, turn};
use crate::pictures::{GOOD, Shot};

fn world(window: u64, replies: Vec<Reply>) -> World {
    let mut world = World::new(window, replies);
    world.tools.push(Arc::new(Shot));
    world
}

fn shot(id: &str, kind: &str, data: &str) -> Reply {
    Reply::call(id, "shot", json!({ "type": kind, "data": data }))
}

/// Every reference in a text, in order.
fn references(text: &str) -> Vec<ResultRef> {
    text.split("ref_id=\"")
        .skip(1)
        .map(|rest| ResultRef::from_text(rest.split('"').next().unwrap_or_default()))
        .collect()
}

/// The text and the pictures of a call's result in a request.
fn result(request: &CompletionRequest, call: &str) -> (String, Vec<Image>) {
    let mut results = request.transcript.messages().flat_map(Message::tool_results);
    let found = results.find(|result| result.call_id == call).unwrap();
    (found.content.clone(), found.images.clone())
}

async fn stored(world: &World, id: &ResultRef) -> Option<String> {
    let found = world.results.get(&session(), id).await.unwrap();
    found.map(|found| String::from_utf8(found.content).unwrap())
}

#[tokio::test]
async fn a_malformed_picture_is_stored_when_it_arrives_and_no_request_has_it() {
    let cut = GOOD.trim_end_matches('=').get(..90).unwrap();
    assert_eq!(cut.len() % 4, 2);
    // Bytes 16 to 20 are the width.
    let large = GOOD.replacen("UgAAAAEAAAAB", "UgAACQAAAAAB", 1);
    // A GIF of one pixel, and zeros behind it.
    let huge = format!("R0lGODlhAQABAAAA{}", "AAAA".repeat(1_400_000));
    let cases = [
        ("image/png", cut, "its base64 is malformed"),
        ("image/png", "not base64 at all", "its base64 is malformed"),
        ("image/png", "aGVsbG8=", "it is no PNG"),
        ("text/plain", "", "it is no PNG"),
        ("image/png", large.as_str(), "it has 2304 x 1 pixels"),
        ("image/gif", huge.as_str(), "it has 4,200,012 bytes; at most 3,932,160 can be shown"),
    ];
    let mut replies: Vec<Reply> = Vec::new();
    for (number, (kind, data, _)) in cases.iter().enumerate() {
        replies.push(shot(&format!("c{number}"), kind, data));
    }
    replies.extend([shot("wrong", "image/jpeg", GOOD), Reply::text("Seen.")]);
    let world = world(40_000, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Look.").await.0.unwrap();

    let requests = world.model.requests();
    for image in requests.iter().flat_map(|request| request.transcript.messages()).flat_map(Message::pictures)
    {
        assert_eq!(check_picture(image).unwrap().image, *image, "a provider rejects this");
    }
    let last = requests.last().unwrap();
    for (number, (kind, data, why)) in cases.iter().enumerate() {
        let (text, images) = result(last, &format!("c{number}"));
        assert!(text.starts_with("the page\n[A picture of ") && text.contains(why), "{text}");
        assert!(images.is_empty() && text.len() < 400, "{text}");
        let content = stored(&world, references(&text).first().unwrap()).await;
        assert!(
            content == Some(format!("data:{kind};base64,{data}")),
            "{number}: the bytes are as they came"
        );
    }
    let (text, images) = result(last, "wrong");
    assert_eq!((text.as_str(), images.len()), ("the page", 1));
    assert_eq!(images.first().unwrap().media_type, "image/png", "the type is that of the bytes");
}

#[tokio::test]
async fn of_too_many_pictures_the_others_are_stored() {
    let mut world = World::new(20_000, vec![Reply::call("c1", "album", json!({})), Reply::text("Seen.")]);
    world.tools.push(Arc::new(Album));
    let mut agent = world.agent().await;
    turn(&mut agent, "Look.").await.0.unwrap();
    let (text, images) = result(world.model.requests().last().unwrap(), "c1");
    assert_eq!((images.len(), references(&text).len()), (20, 5), "{text}");
}

/// Answers with 25 pictures.
#[derive(Debug)]
struct Album;

#[async_trait]
impl Tool for Album {
    fn definition(&self) -> ToolDefinition {
        tool("album", ToolOrigin::Builtin)
    }

    async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let image = Image { media_type: "image/png".to_owned(), data: GOOD.to_owned() };
        ToolOutput { images: vec![image; 25], ..ToolOutput::default() }
    }
}

/// A session in which a compaction has cleared results with pictures: the requests would not fit with them.
async fn cleared() -> (World, Agent, String) {
    let mut replies: Vec<Reply> =
        (0..120).map(|number| shot(&format!("c{number}"), "image/png", GOOD)).collect();
    replies.push(Reply::text("Seen."));
    let world = world(1_400, replies);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Look.").await;
    outcome.unwrap();
    assert!(events.iter().any(|event| matches!(event, Event::Compacted(_))));
    let last = world.model.requests().last().unwrap().clone();
    let texts = last.transcript.messages().flat_map(|message| {
        let results = message.tool_results().map(|result| result.content.clone());
        results.chain([message.text()]).collect::<Vec<_>>()
    });
    let gone = texts.into_iter().find(|text| !references(text).is_empty()).unwrap();
    (world, agent, gone)
}

#[tokio::test]
async fn a_picture_whose_result_was_cleared_is_read_back_as_a_picture() {
    let (world, mut agent, gone) = cleared().await;
    let id = references(&gone).pop().unwrap();
    let text = stored(&world, &id).await.unwrap();
    assert!(!text.contains("base64,") && text.contains("[picture of type image/png; "), "{text}");
    let picture = references(&text).pop().unwrap();
    let read =
        |call: &str, id: &ResultRef| Reply::call(call, "read_result", json!({ "ref_id": id.as_str() }));
    world.model.extend([read("r1", &id), read("r2", &picture), Reply::text("Seen again.")]);
    assert_eq!(turn(&mut agent, "Look again.").await.0.unwrap().text, "Seen again.");
    for call in ["r1", "r2"] {
        // Of the request right behind the call: later ones may have no room for it.
        let answers = |request: &&CompletionRequest| {
            request.transcript.messages().flat_map(Message::tool_results).any(|result| result.call_id == call)
        };
        let (text, images) = result(world.model.requests().iter().find(answers).unwrap(), call);
        assert!(!images.is_empty() && !text.contains("base64,"), "{call}: {text}");
        assert!(images.iter().all(|image| image.data == GOOD && image.media_type == "image/png"));
    }
}

// S4-16
#[tokio::test]
async fn deleting_the_turn_deletes_its_stored_pictures() {
    let (world, mut agent, gone) = cleared().await;
    let id = references(&gone).pop().unwrap();
    let picture = references(&stored(&world, &id).await.unwrap()).pop().unwrap();
    world.model.extend([Reply::text("Fine.")]);
    turn(&mut agent, "And now?").await.0.unwrap();
    let (notes, sessions) = (InMemoryMemory::default(), InMemorySessionDirectory::default());
    let derived = DerivedPorts { notes: &notes, sessions: &sessions };
    agent.delete_turn(ExchangeId(1), &derived, &NullSink).await.unwrap();
    assert_eq!((stored(&world, &id).await, stored(&world, &picture).await), (None, None));
}
