//! What operations with a key have returned, so that a repeated one changes nothing.

use std::collections::{HashMap, VecDeque};

use throughline_completion::StopReason;
use throughline_continuity::{LogError, MessageLog, Part, Unreadable, read_all};
use throughline_conversation::{KeyOutcome, KeyRecord, Message, RecordBody, Seq, SessionId, ToolCall};

use crate::answered::Answered;
use crate::engine_error::EngineError;

/// Outcomes that are remembered. A worker repeats its last operations, not old ones.
const MAX_OUTCOMES: usize = 64;

/// The outcome of an operation.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// A message was accepted.
    Accepted,
    /// What follows an answer, or the results of its calls. Calls are as the model wrote them.
    Answered(Answered),
}

impl Outcome {
    /// What follows; `None` after a message of the user.
    pub(crate) fn answered(self) -> Option<Answered> {
        match self {
            Self::Answered(answered) => Some(answered),
            Self::Accepted => None,
        }
    }

    /// What a record says, with the model's message that it is about. `None` if the message does not have the calls.
    fn recorded(outcome: &KeyOutcome, message: Option<&Message>) -> Option<Self> {
        let answered = match outcome {
            KeyOutcome::Accepted => return Some(Self::Accepted),
            KeyOutcome::Request => Answered::Request,
            KeyOutcome::Calls { calls } => {
                let asked = |call: &&ToolCall| calls.contains(&call.id);
                let asked: Vec<ToolCall> = message?.tool_calls().filter(asked).cloned().collect();
                if asked.len() < calls.len() {
                    return None;
                }
                Answered::Calls(asked)
            }
            KeyOutcome::Finished { stop } => {
                let text = message.map(Message::text).unwrap_or_default();
                Answered::Finished { text, stop: StopReason::named(stop) }
            }
        };
        Some(Self::Answered(answered))
    }
}

#[derive(Debug)]
struct KnownKey {
    key: String,
    operation: String,
    input: Option<u64>,
    outcome: Outcome,
    /// The model's message that the outcome is about.
    message: Option<Seq>,
    /// A log that is read from here on has the key and that message.
    from: Seq,
}

/// Outcomes by key, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    known: VecDeque<KnownKey>,
}

impl Outcomes {
    /// The newest outcomes of a log, and the records that may have been keys and are lost. It costs the length of the log from the
    /// oldest of them on.
    pub(crate) async fn of_log(
        log: &dyn MessageLog,
        session: &SessionId,
    ) -> Result<(Self, Vec<Unreadable>), LogError> {
        let newest = match log.newest(session, RecordBody::KEYED).await {
            Ok(newest) => newest.map(|record| record.body),
            Err(LogError::Damaged { seq, why }) => {
                return Ok((Self::default(), vec![Unreadable::one(seq, why)]));
            }
            Err(error) => return Err(error),
        };
        let Some(RecordBody::Keyed(KeyRecord { since, .. })) = newest else {
            return Ok((Self::default(), Vec::new()));
        };
        let page = read_all(log, session, Seq(since.0.saturating_sub(1)), Part::All).await?;
        let (mut outcomes, mut messages) = (Self::default(), HashMap::new());
        for record in &page.records {
            match &record.body {
                RecordBody::Message(said) => {
                    messages.insert(record.seq, &said.message);
                }
                RecordBody::Keyed(keyed) => {
                    let message = keyed.message.and_then(|place| messages.get(&place).copied());
                    outcomes.note(keyed, message, keyed.message.unwrap_or(record.seq));
                }
                _ => {}
            }
        }
        Ok((outcomes, page.unreadable))
    }

    /// The outcome of this key, if the operation was done.
    ///
    /// # Errors
    /// [`EngineError::Key`] if the key was used for another operation, [`EngineError::KeyInput`] for another input.
    pub(crate) fn find(
        &self,
        key: &str,
        now: &str,
        input: Option<u64>,
    ) -> Result<Option<Outcome>, EngineError> {
        let is_other = |known: &KnownKey| known.input.zip(input).is_some_and(|(before, now)| before != now);
        match self.of_key(key) {
            Some(known) if known.operation == now && is_other(known) => {
                Err(EngineError::KeyInput { key: key.to_owned(), operation: now.to_owned() })
            }
            Some(known) if known.operation == now => Ok(Some(known.outcome.clone())),
            Some(known) => {
                let (key, before) = (key.to_owned(), known.operation.clone());
                Err(EngineError::Key { key, before, now: now.to_owned() })
            }
            None => Ok(None),
        }
    }

    /// The operation that has used this key.
    pub(crate) fn operation_of(&self, key: &str) -> Option<&str> {
        self.of_key(key).map(|known| known.operation.as_str())
    }

    /// Ids of the calls in this message of the model that are the caller's; `None`: the answer had no key.
    pub(crate) fn calls_in(&self, message: Seq) -> Option<Vec<String>> {
        let known = self.known.iter().rev().find(|known| known.message == Some(message))?;
        match &known.outcome {
            Outcome::Answered(Answered::Calls(calls)) => {
                Some(calls.iter().map(|call| call.id.clone()).collect())
            }
            _ => Some(Vec::new()),
        }
    }

    /// The place from which a log has all keys that stay remembered with one more; `None` without any.
    pub(crate) fn since(&self) -> Option<Seq> {
        let forgotten = (self.known.len() + 1).saturating_sub(MAX_OUTCOMES);
        self.known.iter().skip(forgotten).map(|known| known.from).min()
    }

    /// Remembers a key and what it says of this message. A key whose message is lost is forgotten.
    pub(crate) fn note(&mut self, keyed: &KeyRecord, message: Option<&Message>, from: Seq) {
        if keyed.message.is_some() && message.is_none() {
            return;
        }
        let Some(outcome) = Outcome::recorded(&keyed.outcome, message) else { return };
        if self.known.len() >= MAX_OUTCOMES {
            self.known.pop_front();
        }
        let KeyRecord { key, operation, input, message, .. } = keyed.clone();
        self.known.push_back(KnownKey { key, operation, input, outcome, message, from });
    }

    fn of_key(&self, key: &str) -> Option<&KnownKey> {
        self.known.iter().rev().find(|known| known.key == key)
    }
}
