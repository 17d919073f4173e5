//! Sources of the system prompt that hold changes back until a compaction, and tools whose results stay whole.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use throughline_agent::Event;
use throughline_budget::Threshold;
use throughline_completion::{CompletionRequest, Reply};
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{RecordBody, Seq};
use throughline_prompt::{PromptSection, SectionError, SectionSource};

use crate::harness::{Events, World, echo, session, turn};

/// A rules file: read once, and again when it may be.
#[derive(Debug)]
struct RulesFile {
    path: PathBuf,
    held: Mutex<Option<String>>,
}

impl RulesFile {
    fn new(folder: &std::path::Path) -> Arc<Self> {
        let path = folder.join("AGENTS.md");
        std::fs::write(&path, "Rule number one.").unwrap();
        Arc::new(Self { path, held: Mutex::default() })
    }
}

#[async_trait]
impl SectionSource for RulesFile {
    fn name(&self) -> String {
        "file".to_owned()
    }

    async fn sections(&self) -> Result<Vec<PromptSection>, SectionError> {
        let mut held = self.held.lock().unwrap();
        let text = held.get_or_insert_with(|| std::fs::read_to_string(&self.path).unwrap());
        Ok(vec![PromptSection::project("file", text.clone())])
    }

    fn renew(&self) {
        *self.held.lock().unwrap() = None;
    }
}

/// Edits the file as soon as the first tool has run.
struct Editing<'a> {
    events: &'a Events,
    file: &'a RulesFile,
}

impl throughline_agent::EventSink for Editing<'_> {
    fn emit(&self, event: Event) {
        if matches!(event, Event::ToolFinished { .. }) {
            std::fs::write(&self.file.path, "Rule number two.").unwrap();
        }
        self.events.emit(event);
    }
}

fn rule(request: &CompletionRequest) -> &str {
    &request.system.iter().find(|section| section.name == "file").unwrap().text
}

// S3-13
#[tokio::test]
async fn a_rules_file_that_changes_is_taken_with_the_request_that_a_compaction_makes_cold() {
    let mut replies: Vec<Reply> = (0..30).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.push(Reply::text("Done."));
    let mut world = World::new(10_000, replies);
    world.settings.thresholds.compact = Threshold::PercentEffective(60.0);
    world.settings.thresholds.notice = Threshold::Off;
    let folder = tempfile::tempdir().unwrap();
    let file = RulesFile::new(folder.path());
    let mut agent = world.builder().section(file.clone()).open(session()).await.unwrap();
    let events = Events::default();
    let sink = Editing { events: &events, file: &file };
    let message = throughline_conversation::Message::user("Go.");
    agent.turn(message, &sink, &throughline_tools::CancelFlag::new()).await.unwrap();

    let compacted = events.all().iter().filter(|event| matches!(event, Event::Compacted(_))).count();
    assert!(compacted > 0);
    let requests = world.model.requests();
    let cold = requests
        .windows(2)
        .position(|two| two[0].transcript.common_prefix(&two[1].transcript) < two[0].transcript.len())
        .unwrap()
        + 1;
    assert!(cold > 2, "several requests came before");
    for (index, request) in requests.iter().enumerate() {
        let wanted = if index < cold { "Rule number one." } else { "Rule number two." };
        assert_eq!(rule(request), wanted, "request {index}, the first cold one is {cold}");
    }
}

#[tokio::test]
async fn a_new_message_alone_does_not_take_it() {
    let world = World::new(10_000, [Reply::text("One."), Reply::text("Two.")]);
    let folder = tempfile::tempdir().unwrap();
    let file = RulesFile::new(folder.path());
    let mut agent = world.builder().section(file.clone()).open(session()).await.unwrap();
    turn(&mut agent, "First.").await.0.unwrap();
    std::fs::write(&file.path, "Rule number two.").unwrap();
    turn(&mut agent, "Second.").await.0.unwrap();
    let requests = world.model.requests();
    assert_eq!(requests[0].system, requests[1].system);
}

#[tokio::test]
async fn a_compaction_by_hand_puts_the_new_prompt_into_the_log_at_once() {
    let mut replies: Vec<Reply> = (0..20).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.push(Reply::text("Done."));
    replies.push(Reply::text("More."));
    let world = World::new(20_000, replies);
    let folder = tempfile::tempdir().unwrap();
    let file = RulesFile::new(folder.path());
    let mut agent = world.builder().section(file.clone()).open(session()).await.unwrap();
    turn(&mut agent, "Go.").await.0.unwrap();
    std::fs::write(&file.path, "Rule number two.").unwrap();
    agent.compact(&Events::default()).await.unwrap();
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let prompts: Vec<String> = records
        .iter()
        .filter_map(|record| match &record.body {
            RecordBody::Prompt(prompt) => prompt.sections.last().map(|section| section.text.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(prompts, ["Rule number one.", "Rule number two."]);
    turn(&mut agent, "And?").await.0.unwrap();
    assert_eq!(rule(world.model.requests().last().unwrap()), "Rule number two.");
}

#[tokio::test]
async fn results_that_are_of_use_only_as_a_whole_stay_whole() {
    let replies = || [Reply::Say(vec![echo("c1", 2_000)]), Reply::text("Done.")];
    let shown = async |world: &World, whole: bool| {
        let builder = world.builder();
        let builder = if whole { builder.never_offload("echo") } else { builder };
        let mut agent = builder.open(session()).await.unwrap();
        let (outcome, events) = turn(&mut agent, "Go.").await;
        outcome.unwrap();
        let stored = |event: &Event| matches!(event, Event::ToolFinished { offloaded: Some(_), .. });
        (events.iter().any(stored), throughline_testkit::render(agent.view().transcript().messages()))
    };
    let (stored, text) = shown(&World::new(20_000, replies()), true).await;
    assert!(!stored && text.contains("c1_1000 "));
    let (stored, text) = shown(&World::new(20_000, replies()), false).await;
    assert!(stored && !text.contains("c1_1000 "));
}
