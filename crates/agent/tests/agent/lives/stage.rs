//! A session that lives through acts, and the script of its model.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use futures_util::FutureExt;
use serde_json::json;
use throughline_agent::{
    Agent, AgentBuilder, Checkpoints, DerivedPorts, Event, MemoryPorts, NextModel, NullSink,
};
use throughline_compaction::{Prose, Summarizer, SummaryError, SummaryRequest};
use throughline_completion::{CompletionRequest, ModelError, Reply};
use throughline_continuity::{CheckpointPolicy, InMemorySessionDirectory, MessageLog, Part, SnapshotStore};
use throughline_conversation::{
    ContentBlock, EntryKind, ExchangeId, Message, Pin, Record, RecordBody, Seq, ToolCall, View,
};
use throughline_documents::DocumentCaps;
use throughline_groups::{Change, PinTarget};
use throughline_memory::{FilesError, InMemoryMemory, MemoryFile, MemoryFiles, Scope};
use throughline_testkit::render;
use throughline_tools::CancelFlag;

use super::acts::{Act, Last, Step};
use crate::harness::{World, session, text};

/// Models that a session is switched between: provider, name, and by what the window is divided.
const READERS: &[(&str, &str, u64)] =
    &[("scripted", "scripted", 1), ("anthropic", "a", 1), ("ollama", "small", 2)];

/// When the user stops a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    Never,
    AtOnce,
    InTheAnswer,
}

/// A session, its input, and what must not be found in it any more.
pub(crate) struct Life {
    pub(crate) world: World,
    agent: Option<Agent>,
    memory: MemoryPorts,
    prose: Arc<Quoting>,
    reader: usize,
    calls: usize,
    /// The user's message of the turn that was run last.
    pub(crate) said: String,
    /// Groups that were permanently deleted.
    pub(crate) removed: BTreeSet<u64>,
    /// The next request need not extend the last one.
    pub(crate) cold: bool,
}

impl Life {
    pub(crate) async fn begin(window: u64) -> Self {
        let kept = Arc::new(InMemoryMemory::default());
        let memory = MemoryPorts {
            notes: kept.clone(),
            search: kept.clone(),
            files: Arc::new(NoFiles),
            index: kept,
            scope: Scope::folder("/work"),
        };
        let mut life = Self {
            world: World::new(window, []),
            agent: None,
            memory,
            prose: Arc::default(),
            reader: 0,
            calls: 0,
            said: String::new(),
            removed: BTreeSet::new(),
            cold: true,
        };
        life.agent = Some(life.open().await);
        life
    }

    pub(crate) fn agent(&mut self) -> &mut Agent {
        self.agent.as_mut().unwrap()
    }

    pub(crate) fn view(&self) -> &View {
        self.agent.as_ref().unwrap().view()
    }

    pub(crate) async fn log(&self) -> Vec<Record> {
        self.world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records
    }

    async fn open(&self) -> Agent {
        let next = self.next();
        self.keeping(self.world.builder_for(next.model, next.settings)).open(session()).await.unwrap()
    }

    fn keeping(&self, builder: AgentBuilder) -> AgentBuilder {
        let checkpoints = Checkpoints {
            policy: CheckpointPolicy { interval: 2 },
            title: "Fix the parser".to_owned(),
            git: None,
            handoff: true,
        };
        let builder = builder.documents(DocumentCaps::default()).checkpoints(checkpoints);
        builder.memory(self.memory.clone()).summarizer(self.prose.clone())
    }

    fn next(&self) -> NextModel {
        let (provider, name, part) = *READERS.get(self.reader).unwrap();
        let next = self.world.next(provider, name, self.world.settings.window.unwrap() / part);
        NextModel { summarizer: Some(self.prose.clone()), ..next }
    }

    fn is_half_full(&mut self) -> bool {
        let figures = self.agent().budget().window_figures();
        figures.used.total() * 2 >= figures.total
    }

    /// Lives through an act; every law holds afterwards.
    pub(crate) async fn step(&mut self, act: &Act) {
        let (requests, records) = (self.world.model.requests().len(), self.log().await.len());
        let mut turn = false;
        // The group that a message would open.
        let group = self.agent().exchange() + 1;
        match act {
            Act::Turn(words, steps, last) => {
                self.script(steps, *last);
                self.reported(group, &"please ".repeat(*words), Stop::Never).await.unwrap();
                turn = true;
            }
            Act::Cancelled => self.reported(group, "cancelled", Stop::AtOnce).await.unwrap(),
            Act::Stopped => {
                self.world.model.interject(Reply::text(format!("half of mk{group}z\n\n{}", plan("so", 0))));
                self.reported(group, "stopped", Stop::InTheAnswer).await.unwrap();
                turn = true;
            }
            Act::Refused => {
                let message = format!("cannot take mk{group}z");
                self.world.model.interject(Reply::Fail(ModelError::InvalidRequest { message }));
                self.reported(group, "refused", Stop::Never).await.unwrap_err();
                turn = true;
            }
            Act::BreaksOff => {
                self.world.model.extend([Reply::text("whole again")]);
                self.world.model.interject(Reply::BreakOff(vec![text(&format!("mk{group}z half"))]));
                // Where nothing is tried again, the turn fails.
                let _failed = self.reported(group, "breaks off", Stop::Never).await;
                turn = true;
            }
            // A count is never off by more than half: a provider that refuses less has a window in which no session fits.
            Act::Overflow if self.is_half_full() => {
                self.world.model.extend([Reply::text("after all")]);
                let message = format!("long mk{group}z");
                self.world.model.interject(Reply::Fail(ModelError::Overflow {
                    message,
                    limit: None,
                    tokens: None,
                }));
                let _failed = self.reported(group, "overflows", Stop::Never).await;
                turn = true;
            }
            Act::Overflow => {}
            Act::Compact(fails) => {
                self.prose.fails.store(*fails, Ordering::Relaxed);
                self.compact().await;
                self.prose.fails.store(false, Ordering::Relaxed);
            }
            Act::CompactDropped => self.compact_dropped().await,
            Act::Change(change) => self.change(*change).await,
            Act::Pin(group, span) => self.pin(*group, *span).await,
            Act::Delete(group) => self.delete(*group).await,
            Act::Switch(to) => {
                self.reader = *to;
                let next = self.next();
                self.agent().switch_model(next, &NullSink, &CancelFlag::new()).await.unwrap();
            }
            Act::Resume(close) => self.resume(*close).await,
            Act::LoseSnapshot => self.world.snapshots.remove(&session()).await.unwrap(),
        }
        self.laws(requests, records, turn).await;
    }

    async fn reported(
        &mut self,
        group: u64,
        words: &str,
        stop: Stop,
    ) -> Result<(), throughline_agent::TurnError> {
        let rule = if group.is_multiple_of(3) { "never" } else { "go" };
        self.said = format!("request mk{group}z {rule} {}", words.trim());
        let cancel = CancelFlag::new();
        if stop == Stop::AtOnce {
            cancel.cancel();
        }
        let sink = |event: Event| {
            if stop == Stop::InTheAnswer && matches!(event, Event::Text(_)) {
                cancel.cancel();
            }
        };
        let message = Message::user(self.said.clone());
        self.agent().turn(message, &sink, &cancel).await.map(|_| ())
    }

    async fn compact(&mut self) {
        let before = self.shown();
        if self.agent().compact(&NullSink).await.is_err() {
            // I-3
            assert_eq!(self.shown(), before);
        }
    }

    async fn compact_dropped(&mut self) {
        let before = self.shown();
        self.prose.hangs.store(true, Ordering::Relaxed);
        let finished = self.agent().compact(&NullSink).now_or_never().is_some();
        self.prose.hangs.store(false, Ordering::Relaxed);
        if !finished {
            // I-3
            assert_eq!(self.shown(), before);
        }
    }

    async fn change(&mut self, change: Change) {
        let before = self.shown();
        if self.agent().change(change, &NullSink).await.is_err() {
            assert_eq!(self.shown(), before);
        }
    }

    /// Pins all of a group, or the start of the text that is last in it.
    async fn pin(&mut self, group: ExchangeId, span: Option<usize>) {
        let before = self.shown();
        let log = self.log().await;
        let texts =
            log.iter().filter(|record| record.exchange == group).flat_map(|record| match &record.body {
                RecordBody::Message(said) => Pin::texts_of(record.seq, said),
                _ => Vec::new(),
            });
        let last = texts.last().map(|pinned| pinned.text).unwrap_or_default();
        let span = span.map(|most| last.chars().take(most).collect::<String>());
        if self.agent().pin(PinTarget::Group(group), span.as_deref(), &NullSink).await.is_err() {
            assert_eq!(self.shown(), before);
        }
    }

    async fn delete(&mut self, group: ExchangeId) {
        let before = self.shown();
        let (notes, sessions) = (Arc::clone(&self.memory.notes), InMemorySessionDirectory::default());
        let derived = DerivedPorts { notes: notes.as_ref(), sessions: &sessions };
        match self.agent().delete_turn(group, &derived, &NullSink).await {
            Ok(_) => drop(self.removed.insert(group.0)),
            Err(_) => assert_eq!(self.shown(), before),
        }
    }

    async fn resume(&mut self, close: bool) {
        let agent = self.agent.take().unwrap();
        let before = agent.view().clone();
        match close {
            true => agent.close(&NullSink).await,
            false => drop(agent),
        }
        self.agent = Some(self.open().await);
        let after = self.view();
        // I-5
        assert_eq!(render(after.transcript().messages()), render(before.transcript().messages()));
        assert_eq!(
            (after.tokens(), after.native(), after.epoch()),
            (before.tokens(), before.native(), before.epoch())
        );
        assert_eq!((after.groups(), after.documents()), (before.groups(), before.documents()));
    }

    /// What a compaction that failed must leave unchanged.
    fn shown(&self) -> (String, u64, u64) {
        let view = self.view();
        (serde_json::to_string(view.entries()).unwrap(), view.epoch(), view.tokens())
    }

    /// What the model will say. The mark in it is of the request that it then answers.
    pub(crate) fn script(&mut self, steps: &[Step], last: Last) {
        for step in steps {
            let (step, first) = (step.clone(), self.calls + 1);
            self.calls += if let Step::Echo(sizes) = &step { sizes.len() } else { 1 };
            self.world
                .model
                .extend([Reply::Look(Box::new(move |request| blocks(&step, &asked(request), first)))]);
        }
        let number = self.calls;
        let end = move |request: &CompletionRequest| {
            let mark = asked(request);
            let said = match last {
                Last::Nothing => format!("done {mark}"),
                Last::Scratchpad => format!("done\n\n{}", plan(&mark, number)),
                Last::State => format!("done\n\n{}", state(&mark, number)),
                Last::Malformed => "done\n\nSCRATCHPAD:".to_owned(),
            };
            vec![text(&said)]
        };
        self.world.model.extend([Reply::Look(Box::new(end))]);
    }
}

/// The mark of the user's last request.
fn asked(request: &CompletionRequest) -> String {
    let mut said = request.transcript.entries().iter().rev().filter(|entry| entry.kind == EntryKind::User);
    let said = said.next().map(|entry| entry.message.text()).unwrap_or_default();
    said.split(' ').nth(1).unwrap_or("mk0z").to_owned()
}

fn blocks(step: &Step, mark: &str, first: usize) -> Vec<ContentBlock> {
    let call = |number: usize, name: &str, input: serde_json::Value| {
        ContentBlock::ToolCall(ToolCall { id: format!("{mark}{number}"), name: name.to_owned(), input })
    };
    match step {
        Step::Echo(sizes) => {
            let each = sizes.iter().enumerate();
            each.map(|(index, words)| call(first + index, "echo", json!({ "words": words }))).collect()
        }
        Step::Scratchpad(whole) => {
            let action = if *whole { "update" } else { "append" };
            let content = format!("note {mark} of step {first}");
            vec![call(first, "manage_scratchpad", json!({ "action": action, "content": content }))]
        }
        Step::Signals => {
            let said = format!("{}\n\n{}", plan(mark, first), state(mark, first));
            vec![text(&said), call(first, "echo", json!({ "words": 5 }))]
        }
        Step::Memo => {
            let input = json!({ "content": format!("please note {first}"), "tags": ["kept"] });
            vec![call(first, "save_memo", input)]
        }
    }
}

fn plan(mark: &str, number: usize) -> String {
    format!("SCRATCHPAD:## Current Plan\n1. [x] Read {mark} {number}\n2. [ ] Write {mark}")
}

fn state(mark: &str, number: usize) -> String {
    format!(
        "### STATE\nGoal: fix {mark}\nContext: parser\nResolved: {number} {mark}\nTechnical Anchors: none"
    )
}

/// Writes summaries that quote the mark of every message that they cover.
#[derive(Debug, Default)]
struct Quoting {
    fails: AtomicBool,
    hangs: AtomicBool,
}

#[async_trait]
impl Summarizer for Quoting {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        if self.hangs.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        if self.fails.load(Ordering::Relaxed) {
            return Err(SummaryError::Refused("no".to_owned()));
        }
        let mut marks = BTreeSet::new();
        for entry in request.entries {
            let shown = serde_json::to_string(&entry.message).unwrap();
            marks.extend(
                shown.split(|c: char| !c.is_alphanumeric()).filter(|w| w.starts_with("mk")).map(mark),
            );
        }
        let marks: Vec<String> = marks.into_iter().collect();
        let text = format!("### Now\nThe parser.\n### Done\n{}.", marks.join(" "));
        Ok(Prose::by_model(text, "scripted"))
    }
}

/// A word up to the end of the mark in it.
fn mark(word: &str) -> String {
    word.split_inclusive('z').next().unwrap_or_default().to_owned()
}

#[derive(Debug)]
struct NoFiles;

#[async_trait]
impl MemoryFiles for NoFiles {
    fn workspace(&self) -> String {
        "/work".to_owned()
    }

    async fn list(&self) -> Result<Vec<MemoryFile>, FilesError> {
        Ok(Vec::new())
    }

    async fn read(&self, _file: &MemoryFile) -> Result<Option<String>, FilesError> {
        Ok(None)
    }
}
