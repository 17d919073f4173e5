//! The tools that steer the engine: read_result, tool_search, compact_context.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use throughline_agent::Event;
use throughline_completion::{CompletionRequest, Reply};
use throughline_conversation::{ContentBlock, ToolCall, ToolDefinition, ToolOrigin};
use throughline_testkit::render;
use throughline_tools::{Tool, ToolContext, ToolOutput, ToolRegistry};

use crate::harness::{Echo, World, echo, tool, turn};

fn call(id: &str, name: &str, input: Value) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: name.to_owned(), input })
}

/// The reference in the newest result that has one.
fn reference(request: &CompletionRequest) -> String {
    let shown = render(request.transcript.messages());
    let (_, rest) = shown.rsplit_once("ref_id=\"").unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}

// S3-07 S3-09 S3-10 S3-11
#[tokio::test]
async fn a_large_result_is_stored_and_read_back_in_full() {
    let mut replies = vec![Reply::Say(vec![echo("big", 1_500)])];
    replies.push(Reply::Look(Box::new(move |request| {
        vec![call("r", "read_result", json!({ "ref_id": reference(request), "limit": 16_384 }))]
    })));
    replies.push(Reply::text("Read."));
    let world = World::new(60_000, replies);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    let stored = events.iter().find_map(|event| match event {
        Event::ToolFinished { offloaded: Some(receipt), .. } => Some(receipt.clone()),
        _ => None,
    });
    let stored = stored.unwrap();
    assert!(stored.bytes > 10_000 && stored.shown < 500, "{stored:?}");
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("[Tool result stored — ") && shown.contains("from \"echo\""), "{shown}");
    for word in 0..1_500 {
        assert!(shown.contains(&format!("big_{word}")), "word {word} cannot be read back");
    }
}

// S3-10: models write a number as digits, and null where they want nothing
#[tokio::test]
async fn arguments_are_taken_as_models_write_them() {
    let mut replies = vec![Reply::Say(vec![echo("big", 1_500)])];
    replies.push(Reply::Look(Box::new(move |request| {
        let ref_id = reference(request);
        vec![
            call(
                "r",
                "read_result",
                json!({"ref_id": ref_id, "offset": null, "limit": null, "search": null}),
            ),
            call("s", "read_result", json!({"ref_id": ref_id, "offset": "40", "limit": "64"})),
        ]
    })));
    replies.push(Reply::text("Read."));
    let world = World::new(60_000, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let shown = render(agent.view().transcript().messages());
    assert!(!shown.contains("\n  r ! ") && !shown.contains("\n  s ! "), "{shown}");
}

#[tokio::test]
async fn a_wrong_reference_or_argument_is_an_error_the_model_can_act_on() {
    let replies = [
        Reply::Say(vec![
            call("a", "read_result", json!({ "ref_id": "r-0000" })),
            call("b", "read_result", json!({})),
            call("c", "tool_search", json!({ "query": 5 })),
            call("d", "nonesuch", json!({})),
        ]),
        Reply::text("I see."),
    ];
    let world = World::new(4_000, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let shown = render(agent.view().transcript().messages());
    for id in ["a", "b", "c", "d"] {
        assert!(shown.contains(&format!("\n  {id} ! ")), "{shown}");
    }
    assert!(shown.contains("r-0000") && shown.contains("nonesuch"), "{shown}");
}

/// A tool of an MCP server with a long description.
#[derive(Debug)]
pub(crate) struct Remote(pub(crate) String);

#[async_trait]
impl Tool for Remote {
    fn definition(&self) -> ToolDefinition {
        let description =
            format!("{} on the far server. {}", self.0, "It is explained at length. ".repeat(6));
        ToolDefinition { description, ..tool(&self.0, ToolOrigin::Mcp) }
    }

    async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        ToolOutput::text(format!("{} did it", self.0))
    }
}

// S3-15 S3-16 S3-17 S3-18
#[tokio::test]
async fn deferred_tools_are_found_promoted_and_called() {
    let replies = [
        Reply::Say(vec![call("s", "tool_search", json!({ "query": "xcode build" }))]),
        Reply::Say(vec![call("x", "call_tool", json!({ "name": "xcode_build", "input": {} }))]),
        Reply::text("Built."),
        Reply::text("Still here."),
    ];
    let mut world = World::new(4_000, replies);
    for name in [
        "xcode_build",
        "xcode_test",
        "mail_send",
        "mail_read",
        "calendar_add",
        "notes_list",
        "disk_scan",
        "log_tail",
        "dns_look",
        "map_route",
        "song_play",
        "page_print",
    ] {
        world.tools.push(Arc::new(Remote(name.to_owned())));
    }
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Build it.").await;
    outcome.unwrap();
    let requests = world.model.requests();
    let names = |index: usize| requests[index].tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
    assert!(
        ["read_result", "tool_search", "compact_context", "echo"]
            .iter()
            .all(|own| names(0).contains(&(*own).to_owned()))
    );
    assert!(!names(0).contains(&"xcode_build".to_owned()), "{:?}", names(0));
    assert!(
        requests[0]
            .tail
            .iter()
            .any(|note| note.ends_with("tools deferred to save context. Use tool_search to find them.]"))
    );
    // The list is at the front of a request, and stays.
    assert!(names(0).contains(&"call_tool".to_owned()), "{:?}", names(0));
    assert_eq!(requests[1].tools, requests[0].tools);
    assert_eq!(requests[2].tools, requests[0].tools);
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("x = xcode_build did it"), "{shown}");
    assert!(shown.contains("-> x call_tool"), "the log has the call unchanged: {shown}");
    let started = |event: &Event| matches!(event, Event::ToolStarted { name, .. } if name == "xcode_build");
    assert!(events.iter().any(started));
    // The list stays over a resume, too.
    drop(agent);
    let mut agent = world.agent().await;
    turn(&mut agent, "And now?").await.0.unwrap();
    let requests = world.model.requests();
    assert_eq!(requests.last().unwrap().tools, requests[0].tools);
}

// S3-17 S3-31
#[tokio::test]
async fn tools_that_come_late_are_found_and_the_list_stays_unchanged() {
    let replies = [
        Reply::text("Nothing here builds."),
        Reply::Say(vec![call("s", "tool_search", json!({ "query": "xcode build" }))]),
        Reply::Say(vec![call("x", "xcode_build", json!({})), call("g", "gone", json!({}))]),
        Reply::text("Built."),
    ];
    let mut world = World::new(4_000, replies);
    world.tools.push(Arc::new(Remote("gone".to_owned())));
    let mut agent = world.agent().await;
    turn(&mut agent, "Build it.").await.0.unwrap();
    let mut registry = ToolRegistry::new();
    for tool in [Arc::new(Echo) as Arc<dyn Tool>, Arc::new(Remote("xcode_build".to_owned()))] {
        registry.register(tool).unwrap();
    }
    agent.set_tools(registry);
    turn(&mut agent, "And now?").await.0.unwrap();
    let requests = world.model.requests();
    assert_eq!(requests[1].tools, requests[0].tools, "the list that the model has seen stays");
    let (before, after) = (&requests[1].tools, &requests[2].tools);
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!(after.last().unwrap().name, "xcode_build");
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("x = xcode_build did it") && shown.contains("no tool named \"gone\""), "{shown}");
}

// S3-24
#[tokio::test]
async fn the_model_can_compact_its_context() {
    let mut replies: Vec<Reply> = (0..12).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.push(Reply::Say(vec![call("k", "compact_context", json!({})), echo("last", 4)]));
    replies.push(Reply::text("Done."));
    let world = World::new(20_000, replies);
    let mut agent = world.agent().await;
    let (outcome, _) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("k = compacted ") && shown.contains("last = last_0"), "{shown}");
    assert_eq!(agent.view().epoch(), 1);
}
