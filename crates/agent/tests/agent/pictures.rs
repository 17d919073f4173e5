//! Pictures that the provider does not take.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use serde_json::json;
use throughline_agent::{Agent, Event};
use throughline_completion::{CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Reply};
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{
    ContentBlock, EditReason, Image, Message, RecordBody, Seq, ToolCall, ToolDefinition, ToolOrigin,
};
use throughline_groups::Change;
use throughline_tools::{CancelFlag, Tool, ToolContext, ToolOutput};

use crate::harness::{Events, World, session, text, tool, turn};

/// A picture of one pixel.
pub(crate) const GOOD: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";

/// A picture of two pixels, which the provider does not take.
const BAD: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4z8AARAAI/gH/GcBr5wAAAABJRU5ErkJggg==";

/// Takes requests with this many pictures at most, and none with a picture whose data is `BAD`.
#[derive(Debug)]
struct Picky {
    world: World,
    most: usize,
    refused: AtomicUsize,
}

#[async_trait]
impl LanguageModel for Picky {
    fn info(&self) -> ModelInfo {
        self.world.model.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let pictures: Vec<&Image> = request.transcript.messages().flat_map(Message::pictures).collect();
        let error = if pictures.iter().any(|picture| picture.data == BAD) {
            ModelError::PictureRefused { message: "Could not process image".to_owned() }
        } else if pictures.len() > self.most {
            ModelError::TooLarge { message: "Request exceeds the maximum size".to_owned() }
        } else {
            return self.world.model.stream(request).await;
        };
        self.refused.fetch_add(1, Ordering::SeqCst);
        Err(error)
    }
}

/// Answers with a picture of the data and the type that it is asked for.
#[derive(Debug)]
pub(crate) struct Shot;

#[async_trait]
impl Tool for Shot {
    fn definition(&self) -> ToolDefinition {
        tool("shot", ToolOrigin::Builtin)
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let asked = |name: &str| call.input.get(name).and_then(serde_json::Value::as_str).map(str::to_owned);
        let media_type = asked("type").unwrap_or_else(|| "image/png".to_owned());
        let image = Image { media_type, data: asked("data").unwrap_or_default() };
        ToolOutput { images: vec![image], ..ToolOutput::text("the page") }
    }
}

fn shot(id: usize, data: &str) -> Reply {
    Reply::call(format!("c{id}"), "shot", json!({ "data": data }))
}

async fn open(most: usize, replies: Vec<Reply>) -> (Arc<Picky>, Agent) {
    let mut world = World::new(20_000, replies);
    world.tools.push(Arc::new(Shot));
    let model = Arc::new(Picky { world, most, refused: AtomicUsize::new(0) });
    let agent = reopened(&model).await;
    (model, agent)
}

async fn reopened(model: &Arc<Picky>) -> Agent {
    let settings = model.world.settings.clone();
    model.world.builder_for(model.clone(), settings).open(session()).await.unwrap()
}

/// How many pictures the model is shown.
fn shown(agent: &Agent) -> usize {
    agent.view().transcript().messages().flat_map(Message::pictures).count()
}

/// How many pictures the log has, and how many edits for them.
async fn logged(model: &Picky) -> (usize, usize) {
    let records = model.world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let pictures = records.iter().filter_map(|record| match &record.body {
        RecordBody::Message(said) => Some(said.message.pictures().count()),
        _ => None,
    });
    let edits = records.iter().filter(
        |record| matches!(&record.body, RecordBody::Edit(edit) if edit.reason == EditReason::Pictures),
    );
    (pictures.sum(), edits.count())
}

fn reported(events: &[Event]) -> Vec<String> {
    let reported = |event: &Event| match event {
        Event::Degraded(note) if note.subsystem == "pictures" => Some(note.fallback.clone()),
        _ => None,
    };
    events.iter().filter_map(reported).collect()
}

#[tokio::test]
async fn a_request_with_too_many_pictures_is_sent_again_with_the_newest_ones() {
    let mut replies: Vec<Reply> = (0..7).map(|id| shot(id, GOOD)).collect();
    replies.push(Reply::text("I have seen them."));
    let (model, mut agent) = open(6, replies).await;
    let used_before = agent.budget().used_tokens();
    let (outcome, events) = turn(&mut agent, "Look.").await;
    assert_eq!(outcome.unwrap().text, "I have seen them.");
    assert_eq!(reported(&events), ["notes replace 3 pictures"]);
    assert!(!events.iter().any(|event| matches!(event, Event::Compacted(_))));
    assert_eq!((shown(&agent), model.refused.load(Ordering::SeqCst)), (4, 1));
    assert_eq!(logged(&model).await, (7, 1), "nothing is lost");
    // The meter has learned nothing from it: the window looks full to its real share, and not to four times that.
    let used = agent.budget().used_tokens();
    assert!(used > used_before && used < 1_000, "{used}");
    // The next run sees the same.
    let view = agent.view().clone();
    drop(agent);
    let mut agent = reopened(&model).await;
    assert_eq!(agent.view().transcript(), view.transcript());
    // It can be undone; then it happens again.
    agent.change(Change::UndoCompaction, &Events::default()).await.unwrap();
    assert_eq!(shown(&agent), 7);
    model.world.model.extend([Reply::text("Again.")]);
    assert_eq!(turn(&mut agent, "Look again.").await.0.unwrap().text, "Again.");
    assert_eq!(shown(&agent), 4);
    // A view that is rebuilt from the log shows no more.
    agent.change(Change::Undo, &Events::default()).await.unwrap();
    assert_eq!(shown(&agent), 4);
}

#[tokio::test]
async fn a_picture_that_is_not_taken_does_not_end_the_session() {
    let replies = vec![
        shot(0, GOOD),
        shot(1, BAD),
        Reply::text("I cannot see the second one."),
        Reply::text("Still here."),
    ];
    let (model, mut agent) = open(20, replies).await;
    let (outcome, events) = turn(&mut agent, "Look.").await;
    assert_eq!(outcome.unwrap().text, "I cannot see the second one.");
    assert_eq!(reported(&events), ["a note replaces 1 picture"]);
    assert_eq!(turn(&mut agent, "And now?").await.0.unwrap().text, "Still here.");
    assert_eq!((shown(&agent), model.refused.load(Ordering::SeqCst)), (1, 1));
    assert_eq!(logged(&model).await, (2, 1));
    let results = throughline_testkit::render(agent.view().transcript().messages());
    assert!(results.contains("c0 = the page\n"), "{results}");
    assert!(results.contains("c1 = the page\\n[What was shown here as a picture is left out"), "{results}");
}

#[tokio::test]
async fn a_session_that_was_stuck_with_a_picture_continues() {
    let (model, mut agent) = open(20, vec![]).await;
    let image = Image { media_type: "image/png".to_owned(), data: BAD.to_owned() };
    let key = || Reply::Fail(ModelError::Unauthorized { message: "bad key".to_owned() });
    model.world.model.extend([key(), Reply::text("Here.")]);
    let message = Message { content: vec![text("Look."), ContentBlock::Image(image)], ..Message::user("") };
    // The picture is taken out, and then the request fails for another reason.
    agent.turn(message, &Events::default(), &CancelFlag::new()).await.unwrap_err();
    drop(agent);
    let mut agent = reopened(&model).await;
    assert_eq!(turn(&mut agent, "And now?").await.0.unwrap().text, "Here.");
    assert_eq!((shown(&agent), logged(&model).await), (0, (1, 1)));
}

#[tokio::test]
async fn a_model_that_takes_no_pictures_answers_without_them() {
    let replies = vec![shot(0, GOOD), shot(1, GOOD), Reply::text("I am blind.")];
    let (model, mut agent) = open(0, replies).await;
    let (outcome, events) = turn(&mut agent, "Look.").await;
    assert_eq!(outcome.unwrap().text, "I am blind.");
    assert_eq!((reported(&events).len(), shown(&agent)), (2, 0));
    assert_eq!(logged(&model).await, (2, 2));
}

#[tokio::test]
async fn without_a_picture_the_refusal_is_the_end_of_the_turn_and_not_of_the_session() {
    let refused = || Reply::Fail(ModelError::PictureRefused { message: "no images, please".to_owned() });
    let (model, mut agent) = open(20, vec![refused(), Reply::text("Here.")]).await;
    let error = turn(&mut agent, "Go.").await.0.unwrap_err();
    assert!(throughline_text::error_chain(&error).contains("no images, please"), "{error}");
    assert_eq!(model.world.model.request_count(), 1);
    assert_eq!(turn(&mut agent, "Continue.").await.0.unwrap().text, "Here.");
}

#[tokio::test]
async fn a_request_of_too_many_bytes_of_text_is_compacted_and_teaches_nothing_about_tokens() {
    let large = || Reply::Fail(ModelError::TooLarge { message: "Request Entity Too Large".to_owned() });
    let mut replies: Vec<Reply> =
        (0..5).map(|i| Reply::Say(vec![crate::harness::echo(&format!("c{i}"), 300)])).collect();
    replies.extend([large(), Reply::text("Done.")]);
    let world = World::new(10_000, replies);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Done.");
    let compacted = events
        .iter()
        .any(|event| matches!(event, Event::Compacted(receipt) if receipt.reason == EditReason::Overflow));
    assert!(compacted, "{events:?}");
    assert_eq!(agent.budget().total, 10_000);
    assert!(agent.budget().used_tokens() < 2_000, "{}", agent.budget().used_tokens());
    // A provider that always says so ends the turn.
    world.model.extend((0..9).map(|_| large()));
    let error = turn(&mut agent, "More.").await.0.unwrap_err();
    assert!(throughline_text::error_chain(&error).contains("Request Entity Too Large"), "{error}");
    assert!(world.model.request_count() <= 7 + 3, "{}", world.model.request_count());
}
