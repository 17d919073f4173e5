//! Builds a session of turns from the messages that a reader found.

use std::collections::HashSet;
use std::path::Path;

use throughline_conversation::{
    ContentBlock, Message, Millis, Repair, Role, Usage, has_own_words, is_broken_off_note, repair,
};

use super::draft::{RecordingDraft, Said};
use crate::session::{Format, RecordedSession, RecordedStep, RecordedTurn, RequestFacts, UnshownAnswer};

/// Longest name of a tool or a call that every provider accepts.
const LONGEST: usize = 64;

/// The note on a last message without an answer.
const UNANSWERED: &str = "left out the last message of the user: the recording ends before it was answered";

/// Repairs a draft and splits it into turns.
pub(super) fn assemble(path: &Path, format: Format, mut draft: RecordingDraft) -> RecordedSession {
    draft.note_broken_off();
    let RecordingDraft {
        id,
        model,
        title,
        system,
        messages,
        mut notes,
        warnings,
        compactions,
        parent,
        part,
        separate,
        unshown,
        ..
    } = draft;
    let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| stem(path));
    let (mut messages, facts): (Vec<Message>, Vec<MessageFacts>) = joined(messages, unshown)
        .into_iter()
        .map(|Said { message, usage, at, request }| {
            let role = message.role;
            (message, MessageFacts { role, usage, at, request })
        })
        .unzip();
    notes.extend(plain_names(&mut messages));
    let (messages, repairs) = repair(messages);
    let answers = facts_of_answers(facts, &repairs);
    // Dropping an empty message is not worth a note.
    let notable = repairs.iter().filter(|repair| !matches!(repair, Repair::LeftOutMessage { .. }));
    notes.extend(notable.map(ToString::to_string));
    let mut turns = turns(messages, answers);
    let open = turns.pop_if(|turn| turn.steps.is_empty()).map(|turn| turn.user);
    notes.extend(open.as_ref().map(|_| UNANSWERED.to_owned()));
    let separate = separate.into_iter().map(|other| {
        let parent = Some(id.clone());
        let (id, model) =
            (other.id.clone().or_else(|| parent.clone()), other.model.clone().or_else(|| model.clone()));
        assemble(path, format, RecordingDraft { id, model, parent, ..other })
    });
    RecordedSession {
        separate: separate.filter(|other| !other.turns.is_empty()).collect(),
        id,
        file: path.to_owned(),
        format,
        model,
        title,
        system: system_prompt(&system),
        part,
        parent,
        turns,
        open_request: open.filter(is_open),
        warnings,
        repairs: notes,
        recorded_compactions: compactions,
    }
}

/// The parts of a system prompt as one text.
fn system_prompt(parts: &[String]) -> Option<String> {
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|text| !text.trim().is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Returns true if a message at the end of a recording leaves work open: it asks for something, or the answer before it was
/// broken off. Other notes of the agent do not.
pub(super) fn is_open(message: &Message) -> bool {
    let says = |block: &ContentBlock| match block {
        ContentBlock::Text { text } => has_own_words(text) || is_broken_off_note(text),
        block => matches!(block, ContentBlock::Image(_)),
    };
    message.content.iter().any(says)
}

/// Joins consecutive result messages and drops empty texts: formats differ in that, so neither is a fault of the
/// recording. `last_unshown` came behind the last answer.
fn joined(found: Vec<Said>, last_unshown: Vec<UnshownAnswer>) -> Vec<Said> {
    let mut all: Vec<Said> = Vec::with_capacity(found.len());
    let results = |said: &Said| {
        let content = &said.message.content;
        !content.is_empty() && content.iter().all(|block| matches!(block, ContentBlock::ToolResult(_)))
    };
    let says = |block: &ContentBlock| !matches!(block, ContentBlock::Text { text } if text.trim().is_empty());
    // An empty answer, which the user has aborted, leaves the compaction before it to the next one.
    let mut compacted = None;
    // It was paid, too.
    let mut unshown = Vec::new();
    for mut said in found {
        said.message.content.retain(says);
        if said.message.role == Role::Assistant {
            said.request.take_compaction(compacted);
            let is_empty = said.message.content.is_empty();
            compacted = said.request.compaction().filter(|_| is_empty);
            if is_empty {
                unshown.append(&mut said.request.unshown);
                unshown.extend(UnshownAnswer::of(&said.request, said.usage, said.at));
            } else {
                unshown.append(&mut said.request.unshown);
                said.request.unshown = std::mem::take(&mut unshown);
            }
        }
        match all.last_mut() {
            Some(last) if results(last) && results(&said) => {
                last.message.content.extend(said.message.content);
                last.at = last.at.max(said.at);
            }
            _ if said.message.content.is_empty() => {}
            _ => all.push(said),
        }
    }
    unshown.extend(last_unshown);
    if let Some(last) = all.iter_mut().rfind(|said| said.message.role == Role::Assistant) {
        last.request.unshown.append(&mut unshown);
    }
    all
}

/// The file's name up to its first dot.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("session").to_owned()
}

/// Gives tools and calls names that every provider accepts. Returns a note for each renamed tool.
fn plain_names(messages: &mut [Message]) -> Vec<String> {
    let mut noted = HashSet::new();
    let mut notes = Vec::new();
    let blocks = messages.iter_mut().flat_map(|message| &mut message.content);
    for block in blocks {
        match block {
            ContentBlock::ToolCall(call) => {
                call.id = plain(&call.id, "call");
                let name = plain(&call.name, "tool");
                if name != call.name && noted.insert(call.name.clone()) {
                    notes.push(format!(
                        "tool {:?} is renamed {name:?}, which every provider accepts",
                        call.name
                    ));
                }
                call.name = name;
            }
            ContentBlock::ToolResult(result) => result.call_id = plain(&result.call_id, "call"),
            _ => {}
        }
    }
    notes
}

/// The name with `_` for each invalid character; `empty` for an empty one.
fn plain(name: &str, empty: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = name.chars().take(LONGEST).map(plain).collect();
    if name.is_empty() { empty.to_owned() } else { name }
}

/// What a recording says of a message apart from its content.
#[derive(Debug)]
struct MessageFacts {
    role: Role,
    usage: Option<Usage>,
    at: Option<Millis>,
    request: RequestFacts,
}

/// What a recording says of an answer apart from its content.
#[derive(Debug, Default)]
struct AnswerFacts {
    usage: Option<Usage>,
    asked_at: Option<Millis>,
    answered_at: Option<Millis>,
    request: RequestFacts,
}

/// The facts of each remaining answer. A request was sent at the time of the newest message before the answer. Of joined
/// answers the last report is that of the step: its prompt includes all earlier messages.
fn facts_of_answers(messages: Vec<MessageFacts>, repairs: &[Repair]) -> Vec<AnswerFacts> {
    let (mut gone, mut joined) = (HashSet::new(), HashSet::new());
    for repair in repairs {
        match repair {
            Repair::LeftOutMessage { message } => gone.insert(*message),
            Repair::Joined { message } => joined.insert(*message),
            _ => false,
        };
    }
    let mut left: Vec<AnswerFacts> = Vec::new();
    let mut asked_at = None;
    // An answer that was left out leaves the compaction before it to the next.
    let mut compacted = None;
    // So it does with what was paid for it.
    let mut unshown = Vec::new();
    for (place, mut message) in messages.into_iter().enumerate() {
        if message.role == Role::User {
            asked_at = asked_at.max(message.at);
            continue;
        }
        message.request.take_compaction(compacted.take());
        if gone.contains(&place) {
            compacted = message.request.compaction();
            unshown.append(&mut message.request.unshown);
            unshown.extend(UnshownAnswer::of(&message.request, message.usage, message.at));
            continue;
        }
        let mut request = message.request;
        unshown.append(&mut request.unshown);
        request.unshown = std::mem::take(&mut unshown);
        match left.last_mut() {
            Some(last) if joined.contains(&place) => {
                last.request.take_compaction(request.compaction());
                last.request.unshown.append(&mut request.unshown);
                if message.usage.is_some() {
                    // Answers with names of their own were asked for one by one.
                    let is_other = request.answer.is_some() && request.answer != last.request.answer;
                    let before = UnshownAnswer::of(&last.request, last.usage, last.answered_at);
                    last.request.unshown.extend(before.filter(|_| is_other && last.request.answer.is_some()));
                    last.request.answer = request.answer.or(last.request.answer.take());
                    last.usage = message.usage;
                    last.request.hour_write = request.hour_write;
                    last.request.terms = request.terms;
                }
                last.request.output = request.output.or(last.request.output);
                last.answered_at = last.answered_at.max(message.at);
            }
            _ => left.push(AnswerFacts { usage: message.usage, asked_at, answered_at: message.at, request }),
        }
        asked_at = None;
    }
    if let Some(last) = left.last_mut() {
        last.request.unshown.append(&mut unshown);
    }
    left
}

fn turns(messages: Vec<Message>, answers: Vec<AnswerFacts>) -> Vec<RecordedTurn> {
    let mut answers = answers.into_iter();
    let mut turns: Vec<RecordedTurn> = Vec::new();
    for message in messages {
        let Message { role, content } = message;
        if role == Role::Assistant {
            let assistant = Message { role, content };
            let AnswerFacts { usage, asked_at, answered_at, request } = answers.next().unwrap_or_default();
            if let Some(turn) = turns.last_mut() {
                turn.steps.push(RecordedStep {
                    assistant,
                    results: Vec::new(),
                    usage,
                    asked_at,
                    answered_at,
                    request,
                });
            }
            continue;
        }
        let (results, said): (Vec<_>, Vec<_>) =
            content.into_iter().partition(|block| matches!(block, ContentBlock::ToolResult(_)));
        if let Some(step) = turns.last_mut().and_then(|turn| turn.steps.last_mut()) {
            step.results.extend(results.into_iter().filter_map(|block| match block {
                ContentBlock::ToolResult(result) => Some(result),
                _ => None,
            }));
        }
        match turns.last_mut() {
            _ if said.is_empty() => {}
            Some(turn) if turn.steps.is_empty() => turn.user.content.extend(said),
            _ => turns.push(RecordedTurn { user: Message { role, content: said }, steps: Vec::new() }),
        }
    }
    turns
}
