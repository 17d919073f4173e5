//! The transcript that a session was stored from, as a recording. What reads recordings reads it so, too.

use throughline_conversation::{
    ContentBlock, ForeignRequest, Message, MessageRecord, Record, RecordBody, RequestFacts, ResultRef,
    Source, ToolResult,
};
use throughline_replay::{Format, RecordedSession, RecordedStep, RecordedTurn, SessionPart};
use throughline_resultstore::preview_reference;
use throughline_stored::{Error, Result, SessionHandle};

use crate::agent::ForeignAgent;

/// The formats of files that are stored by no agent's own name.
const IMPORTED: [Format; 6] = [
    Format::CopilotCli,
    Format::Pi,
    Format::MiniSweAgent,
    Format::SweAgent,
    Format::Atif,
    Format::PydanticAi,
];

/// The format of the transcript that a session of this id was stored from. `None`: it was stored from none.
#[must_use]
pub fn format_of(session: &str) -> Option<Format> {
    let watched = ForeignAgent::ALL.into_iter().map(|agent| (agent.name(), agent.format()));
    let mut all = watched.chain(IMPORTED.into_iter().map(|format| (format.name(), format)));
    let is_its = |name: &str| session.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    all.find(|(name, _)| is_its(name)).map(|(_, format)| format)
}

/// The recording that a log holds, with large results whole. `None`: the session was stored from no transcript, has worked here since, or
/// nothing in it was answered.
///
/// # Errors
/// A stored result cannot be read.
pub async fn stored_recording(handle: &SessionHandle, log: &[Record]) -> Result<Option<RecordedSession>> {
    let Some(format) = format_of(handle.session.as_str()) else { return Ok(None) };
    let has_own = log.iter().any(|record| matches!(record.body, RecordBody::Receipt(_)));
    let has_facts = log.iter().any(|record| matches!(record.body, RecordBody::ForeignRequest(_)));
    if has_own || !has_facts {
        return Ok(None);
    }
    let mut made = MadeRecording::default();
    for record in log {
        match &record.body {
            RecordBody::Model(model) => made.model = Some(model.origin.model.clone()),
            RecordBody::ForeignRequest(request) => made.request = Some((**request).clone()),
            RecordBody::Message(said) => made.say(record, said, whole_results(handle, said).await?),
            _ => {}
        }
    }
    Ok(made.recording(handle, format))
}

/// The results of a message. What is stored outside of it is read.
async fn whole_results(handle: &SessionHandle, said: &MessageRecord) -> Result<Vec<ToolResult>> {
    let mut results: Vec<ToolResult> = said.message.tool_results().cloned().collect();
    for result in &mut results {
        let Some(name) = preview_reference(&result.content) else { continue };
        if let Some(text) = whole(handle, &name).await? {
            result.content = text;
        }
    }
    Ok(results)
}

async fn whole(handle: &SessionHandle, name: &ResultRef) -> Result<Option<String>> {
    match handle.result(name).await {
        Ok(stored) => Ok(Some(String::from_utf8_lossy(&stored.content).into_owned())),
        // A result that expired is its preview.
        Err(Error::Missing(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The turns so far.
#[derive(Debug, Default)]
struct MadeRecording {
    turns: Vec<RecordedTurn>,
    model: Option<String>,
    /// The request for the next answer.
    request: Option<ForeignRequest>,
}

impl MadeRecording {
    fn say(&mut self, record: &Record, said: &MessageRecord, results: Vec<ToolResult>) {
        if let Source::Model(name) = &said.source {
            let request = self.request.take().unwrap_or_default();
            // An answer without a model has the name of its program.
            let session_model = || self.model.clone().filter(|model| model == name);
            let model = request.facts.model.clone().or_else(session_model);
            let step = RecordedStep {
                assistant: said.message.clone(),
                results: Vec::new(),
                usage: said.usage,
                asked_at: request.asked_at,
                answered_at: Some(record.at),
                request: RequestFacts { model, ..request.facts },
            };
            if let Some(turn) = self.turns.last_mut() {
                turn.steps.push(step);
            }
            return;
        }
        let is_result = |block: &ContentBlock| matches!(block, ContentBlock::ToolResult(_));
        if let Some(step) = self.turns.last_mut().and_then(|turn| turn.steps.last_mut()) {
            step.results.extend(results);
        }
        let mut user = said.message.clone();
        user.content.retain(|block| !is_result(block));
        match self.turns.last_mut() {
            _ if user.content.is_empty() => {}
            Some(turn) if turn.steps.is_empty() => turn.user.content.extend(user.content),
            _ => self.turns.push(RecordedTurn { user, steps: Vec::new() }),
        }
    }

    fn recording(mut self, handle: &SessionHandle, format: Format) -> Option<RecordedSession> {
        let is_open = self.turns.last().is_some_and(|turn| turn.steps.is_empty());
        let open_request: Option<Message> = self.turns.pop_if(|_| is_open).map(|turn| turn.user);
        let compacted = self.turns.iter().flat_map(|turn| &turn.steps).filter(|step| step.request.compacted);
        let recorded_compactions = compacted.count();
        (!self.turns.is_empty()).then(|| RecordedSession {
            id: handle.session.to_string(),
            file: handle.session.as_str().into(),
            format,
            model: self.model,
            title: None,
            system: None,
            part: SessionPart::Conversation,
            parent: None,
            turns: self.turns,
            open_request,
            separate: Vec::new(),
            warnings: Vec::new(),
            repairs: Vec::new(),
            recorded_compactions,
        })
    }
}
