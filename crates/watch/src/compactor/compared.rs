//! What later answers use of what a compaction of Claude Code has removed: how much of it the recorded summary shows, and
//! how much our view of the same conversation.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use throughline_continuity::SessionInfo;
use throughline_conversation::{ContentBlock, Message, Role, TokenCounter, ToolResult};
use throughline_ledger::{Need, NeedTracker, Shown, StepKind};
use throughline_policies::Estimator;
use throughline_replay::{RecordedSession, read_session, recording_bytes};
use throughline_stored::{Attempt as _, Storage, now};
use throughline_text::cut_end;

use super::stored_view::StoredView;
use super::view::{Conversation, compacted};
use crate::agent::ForeignAgent;
use crate::asked_compaction::AskedCompaction;
use crate::compactions::compactions_in;
use crate::failure::Result;
use crate::import::messages;
use crate::sessions::unreadable;
use crate::settings::WatchSettings;

/// Files that Claude Code reads again after its own compaction, and the tokens of each and of all of them. Source: its public
/// constants.
const READ_AGAIN: usize = 5;
const READ_AGAIN_EACH: u64 = 5_000;
const READ_AGAIN_ALL: u64 = 50_000;

/// A recorded compaction of Claude Code next to our view at the same place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ComparedCompaction {
    /// Answers of the model before it.
    pub before: u64,
    /// Answers after it, up to the next one.
    pub after: u64,
    /// Names that calls use.
    pub names: VisibleShare,
    /// Files that are read again: their paths.
    pub files: VisibleShare,
    /// Lines that edits quote.
    pub lines: VisibleShare,
    /// Estimated tokens of the conversation in the next request.
    pub tokens: ShownTokens,
}

/// Of what answers use and only the conversation before the compaction has shown: how much the next request shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct VisibleShare {
    /// How much is used.
    pub used: u64,
    /// What of it is in the recorded summary.
    pub summary: u64,
    /// What of it is in the summary or in the files that Claude Code reads again, which recordings lack: at most the five newest.
    pub summary_and_files: u64,
    /// What of it is in our view.
    pub view: u64,
}

/// Tokens of what replaces a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ShownTokens {
    /// The recorded summary.
    pub summary: u64,
    /// The same with the files.
    pub summary_and_files: u64,
    /// Our view.
    pub view: u64,
}

impl ComparedCompaction {
    /// Adds the figures of another compaction.
    pub fn add(&mut self, other: &Self) {
        self.before += other.before;
        self.after += other.after;
        for (sum, one) in [
            (&mut self.names, &other.names),
            (&mut self.files, &other.files),
            (&mut self.lines, &other.lines),
        ] {
            sum.used += one.used;
            sum.summary += one.summary;
            sum.summary_and_files += one.summary_and_files;
            sum.view += one.view;
        }
        self.tokens.summary += other.tokens.summary;
        self.tokens.summary_and_files += other.tokens.summary_and_files;
        self.tokens.view += other.tokens.view;
    }
}

/// Compares all compactions of a recording of Claude Code. Our views are made one after the other, as they would have been.
///
/// # Errors
/// The recording cannot be read, or the storage failed.
pub async fn compare_compactions(
    path: &Path,
    storage: &Storage,
    settings: &WatchSettings,
) -> Result<Vec<ComparedCompaction>> {
    let recorded = read_session(path)?;
    let bytes = recording_bytes(path)?;
    let summaries = compactions_in(ForeignAgent::Claude, bytes.as_slice()).attempt(|| unreadable(path))?;
    let summaries: Vec<String> = summaries.into_iter().map(|one| one.summary).collect();
    let session = ForeignAgent::Claude.session_id(&recorded.id);
    let session = session.attempt(|| "the recording has an unusable id".to_owned())?;
    let info = SessionInfo {
        id: session.clone(),
        title: recorded.id.clone(),
        workspace: String::new(),
        model: recorded.model.clone().unwrap_or_default(),
        created: now(),
    };
    storage.create_session(&info).await?;
    let asked = AskedCompaction::at_threshold();
    let mut compared = Vec::new();
    let (mut last, mut seen): (Option<StoredView<'static>>, usize) = (None, 0);
    for (cut, summary) in cuts(&recorded).into_iter().zip(summaries) {
        let before: Vec<Message> =
            messages(ForeignAgent::Claude.into(), &cut.before).into_iter().map(|one| one.message).collect();
        let new = before.get(seen..).unwrap_or_default();
        let conversation = Conversation { before: last.as_ref(), messages: new };
        let (_, view) = compacted(&session, &conversation, &asked, storage, settings).await?;
        let view = view.into_owned();
        seen = before.len();
        compared.push(cut.compare(&before, &summary, &view));
        last = Some(view);
    }
    Ok(compared)
}

/// A place at which the recorded agent has compacted.
struct RecordedCut {
    before: RecordedSession,
    /// Messages behind it, up to the next cut.
    after: Vec<Message>,
}

/// The cuts of a session, oldest first.
fn cuts(recorded: &RecordedSession) -> Vec<RecordedCut> {
    let mut cuts: Vec<RecordedCut> = Vec::new();
    for (turn, said) in recorded.turns.iter().enumerate() {
        for (step, made) in said.steps.iter().enumerate() {
            if made.request.compacted {
                cuts.push(RecordedCut { before: start(recorded, turn, step), after: Vec::new() });
            }
            let Some(last) = cuts.last_mut() else { continue };
            if step == 0 {
                last.after.push(said.user.clone());
            }
            last.after.push(made.assistant.clone());
            if !made.results.is_empty() {
                last.after.push(Message::results(made.results.iter().cloned()));
            }
        }
    }
    cuts
}

/// The session up to a step. What the user says at the start of a turn comes behind the compaction before its first answer.
fn start(recorded: &RecordedSession, turn: usize, step: usize) -> RecordedSession {
    let mut turns: Vec<_> = recorded.turns.iter().take(turn + usize::from(step > 0)).cloned().collect();
    if let Some(last) = turns.last_mut().filter(|_| step > 0) {
        last.steps.truncate(step);
    }
    RecordedSession { turns, open_request: None, separate: Vec::new(), ..recorded.clone() }
}

impl RecordedCut {
    fn compare(&self, before: &[Message], summary: &str, view: &StoredView<'_>) -> ComparedCompaction {
        let counter = Estimator::default().counter();
        let files = read_again(before, counter.as_ref());
        let entries = &view.snapshot.entries;
        let places = [
            Shown::of(std::iter::empty(), [summary]),
            Shown::of(files.iter(), [summary]),
            Shown::of(entries.iter().map(|entry| entry.message.as_ref()), []),
        ];
        let used = self.used(before);
        let answers =
            |messages: &[Message]| messages.iter().filter(|one| one.role == Role::Assistant).count() as u64;
        let summary_tokens = counter.text(summary);
        let file_tokens: u64 = files.iter().map(|message| counter.message(message)).sum();
        ComparedCompaction {
            before: answers(before),
            after: answers(&self.after),
            names: share(&used.names, &places, Shown::has_name),
            files: share(&used.files, &places, Shown::has_name),
            lines: share(&used.lines, &places, Shown::has),
            tokens: ShownTokens {
                summary: summary_tokens,
                summary_and_files: summary_tokens + file_tokens,
                view: entries.iter().map(|entry| entry.tokens).sum(),
            },
        }
    }

    /// What the answers use that is in no message behind the cut.
    fn used(&self, before: &[Message]) -> Used {
        let mut tracker = NeedTracker::default();
        before.iter().for_each(|message| tracker.note(&Arc::new(message.clone())));
        let mut used = Used::default();
        for (place, message) in self.after.iter().enumerate() {
            let since = self.after.get(..place).unwrap_or_default();
            let need = tracker.need(message);
            let shown = Shown::of(since.iter(), []);
            let Need { names, lines, files } = need.missing(&shown);
            used.names.extend(names);
            used.lines.extend(lines);
            // A file that was read again since is named there.
            used.files.extend(files.into_keys().filter(|path| !shown.has_name(path)));
            tracker.note(&Arc::new(message.clone()));
        }
        used
    }
}

/// What answers use.
#[derive(Default)]
struct Used {
    names: BTreeSet<String>,
    files: BTreeSet<String>,
    lines: BTreeSet<String>,
}

fn share<'s>(
    used: &BTreeSet<String>,
    places: &[Shown<'s>; 3],
    has: impl Fn(&Shown<'s>, &str) -> bool,
) -> VisibleShare {
    let found = |shown: &Shown<'s>| used.iter().filter(|one| has(shown, one)).count() as u64;
    let [summary, summary_and_files, view] = places.each_ref().map(found);
    VisibleShare { used: used.len() as u64, summary, summary_and_files, view }
}

/// The newest results of reads of different files, as Claude Code shows them again.
fn read_again(messages: &[Message], counter: &dyn TokenCounter) -> Vec<Message> {
    let calls = messages.iter().rev().flat_map(Message::tool_calls);
    let reads = calls.filter(|call| StepKind::of_call(call, None) == StepKind::Read);
    let (mut paths, mut found, mut left) = (BTreeSet::new(), Vec::new(), READ_AGAIN_ALL);
    for call in reads {
        let Some(path) = call.input.get("file_path").and_then(|path| path.as_str()) else { continue };
        if found.len() == READ_AGAIN || !paths.insert(path) {
            continue;
        }
        let results = messages.iter().flat_map(|message| &message.content);
        let mut content = results.filter_map(|block| match block {
            ContentBlock::ToolResult(result) if result.call_id == call.id && !result.is_error => {
                Some(&result.content)
            }
            _ => None,
        });
        let Some(content) = content.next_back() else { continue };
        let room = left.min(READ_AGAIN_EACH);
        let tokens = counter.text(content).max(1);
        let bytes = content.len() as u64 * room.min(tokens) / tokens;
        left -= room.min(tokens);
        let shown = cut_end(content, usize::try_from(bytes).unwrap_or(usize::MAX));
        found.push(Message::results([ToolResult::text(call.id.clone(), shown)]));
    }
    found
}
