//! Policies that run elsewhere: their requests are priced and searched by the same code as those of the simulated peers.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use throughline_completion::PrefixUse;
use throughline_conversation::{ContentBlock, Message, TokenCounter, validate};

use super::run::{Course, PeerOptions};
use super::summary::{SUMMARY_TOKENS, summary};
use super::view::{PeerMessage, PeerView};
use crate::bill::SummaryUse;
use crate::model::{scaled, scaled_use};
use crate::recall::SessionNeeds;
use crate::report::PriceReport;
use crate::session::RecordedSession;

/// A policy is given a refused request back at most this often.
const MOST_REFUSALS: usize = 100;

/// The room of a session. Tokens are the counter's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExternalRoom {
    /// The window.
    pub window: u64,
    /// The window less the tokens reserved for output: no request may be larger.
    pub limit: u64,
    /// Tokens of system prompt and tools, in each request.
    pub fixed: u64,
    /// Characters of this session for one token.
    pub chars_per_token: f64,
}

/// A message of a policy's view.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExternalMessage {
    /// One that the policy was given, unchanged, by its number in the session, from 0.
    Given(usize),
    /// One that it wrote or changed.
    Own(Message),
}

/// Why a policy made no view.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// It failed, in its own words.
    #[error("the policy failed: {0}")]
    Failed(String),
    /// It shows a message that it was not given.
    #[error("the policy shows message {0}, which it was not given")]
    NotGiven(usize),
}

/// Answers a policy's request for a summary, given the prompt as one text.
pub type Summarize<'a> = dyn FnMut(&str) -> String + 'a;

/// Decides what of a session the model sees. It holds the view itself.
///
/// # Contract
/// An implementation MUST forget the session before when `open` is called, MUST return the whole view from `view` and
/// `refused`, and MUST ask `summarize` exactly where the policy asks a model.
///
/// # When it fails
/// The caller ends the session without a report.
pub trait ExternalPolicy: Debug + Send + Sync {
    /// Begins a session.
    fn open(&self, room: &ExternalRoom) -> Result<(), ExternalError>;

    /// The messages of the next request, given those since the one before.
    fn view(
        &self,
        new: &[&Message],
        summarize: &mut Summarize<'_>,
    ) -> Result<Vec<ExternalMessage>, ExternalError>;

    /// The messages of the same request again, after a provider has refused it as too long.
    fn refused(&self, summarize: &mut Summarize<'_>) -> Result<Vec<ExternalMessage>, ExternalError>;
}

const _: fn(&dyn ExternalPolicy) = |_| {};

/// The outcome of an external policy over one session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExternalReport {
    /// Requests.
    pub requests: u64,
    /// Requests that stayed too large: the oldest messages were dropped.
    pub dropped: u64,
    /// Requests that break a rule of every provider.
    pub invalid: u64,
    /// Requests for summaries.
    pub summaries: u64,
    /// What it costs, and what of the answers' needs had left.
    #[serde(flatten)]
    pub prices: PriceReport,
}

/// Runs a session under an external policy. `seen` gets the messages of each request.
///
/// # Errors
/// The policy failed.
pub fn replay_external(
    session: &RecordedSession,
    needs: &SessionNeeds,
    options: &PeerOptions,
    policy: &dyn ExternalPolicy,
    seen: &mut dyn FnMut(&[&Message]),
) -> Result<ExternalReport, ExternalError> {
    let course = Course::of(session, needs, options);
    policy.open(&room(&course))?;
    let mut run =
        External { course: &course, policy, own: HashMap::new(), given: 0, invalid: 0, summaries: 0 };
    let mut sent = |view: &PeerView| {
        let messages: Vec<&Message> = view.messages.iter().map(|message| message.message.as_ref()).collect();
        seen(&messages);
    };
    let (figures, dropped) = course.each_request(|new, view, _| run.before(new, view), &mut sent)?;
    Ok(ExternalReport {
        requests: figures.costs.requests,
        dropped,
        invalid: run.invalid,
        summaries: run.summaries,
        prices: PriceReport::of(&figures),
    })
}

fn room(course: &Course<'_>) -> ExternalRoom {
    let messages = &course.history.messages;
    let chars: usize = messages.iter().map(|message| chars(&message.message)).sum();
    let tokens: u64 = messages.iter().map(|message| message.tokens).sum();
    let chars_per_token = chars as f64 / tokens.max(1) as f64;
    let room = &course.room;
    ExternalRoom { window: room.window, limit: room.limit, fixed: room.fixed, chars_per_token }
}

/// Characters of what a framework takes over of a message: texts, names and inputs of calls, and results.
fn chars(message: &Message) -> usize {
    let of = |block: &ContentBlock| match block {
        ContentBlock::Text { text } => text.chars().count(),
        ContentBlock::ToolCall(call) => call.name.chars().count() + call.input.to_string().chars().count(),
        ContentBlock::ToolResult(result) => result.content.chars().count(),
        ContentBlock::Thinking(_) | ContentBlock::Image(_) => 0,
    };
    message.content.iter().map(of).sum()
}

/// A policy within a session.
struct External<'a> {
    course: &'a Course<'a>,
    policy: &'a dyn ExternalPolicy,
    /// The policy's own messages by their content: one that stays the same stays in the prompt cache.
    own: HashMap<String, PeerMessage>,
    /// Messages that it was given.
    given: usize,
    invalid: u64,
    summaries: u64,
}

impl External<'_> {
    fn before(
        &mut self,
        new: &[PeerMessage],
        view: &mut PeerView,
    ) -> Result<Option<SummaryUse>, ExternalError> {
        let Course { counter, factor, room, .. } = *self.course;
        self.given += new.len();
        // A summary is of all that the policy can know of.
        view.messages.extend(new.iter().cloned());
        let all = view.messages.clone();
        let mut used: Option<SummaryUse> = None;
        let mut asked = 0;
        let mut summarize = |prompt: &str| {
            asked += 1;
            let split = PrefixUse { read: 0, write: 0, uncached: counter.text(prompt) };
            let one = SummaryUse { warm: scaled_use(split, factor), output: scaled(SUMMARY_TOKENS, factor) };
            used = Some(used.map_or(one, |before| before.with(one)));
            summary(&all, counter).message.texts().collect()
        };
        let new: Vec<&Message> = new.iter().map(|message| message.message.as_ref()).collect();
        let shown = self.policy.view(&new, &mut summarize)?;
        view.messages = self.messages(shown, counter)?;
        for _ in 0..MOST_REFUSALS {
            let tokens = view.tokens();
            if room.fixed + tokens <= room.limit {
                break;
            }
            let shown = self.policy.refused(&mut summarize)?;
            view.messages = self.messages(shown, counter)?;
            if view.tokens() >= tokens {
                break;
            }
        }
        self.summaries += asked;
        let valid = validate(view.messages.iter().map(|message| message.message.as_ref())).is_empty();
        self.invalid += u64::from(!valid);
        Ok(used)
    }

    fn messages(
        &mut self,
        shown: Vec<ExternalMessage>,
        counter: &dyn TokenCounter,
    ) -> Result<Vec<PeerMessage>, ExternalError> {
        let history = self.course.history.messages.get(..self.given).unwrap_or_default();
        let message = |shown| match shown {
            ExternalMessage::Given(number) => {
                history.get(number).cloned().ok_or(ExternalError::NotGiven(number))
            }
            ExternalMessage::Own(message) => {
                let content = serde_json::to_string(&message)
                    .map_err(|error| ExternalError::Failed(error.to_string()))?;
                let own = self.own.entry(content);
                Ok(own.or_insert_with(|| PeerMessage::new(Arc::new(message), counter)).clone())
            }
        };
        shown.into_iter().map(message).collect()
    }
}

#[cfg(test)]
mod tests;
