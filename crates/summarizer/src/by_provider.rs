//! Requests that ask a provider to compact the messages that leave, and nothing behind them.

use std::sync::Arc;

use throughline_compaction::{SummaryPrefix, SummaryRequest};
use throughline_completion::{CompletionRequest, ModelInfo, RequestFault};
use throughline_conversation::{Message, Role, View, Violation};

use crate::in_place::{breakpoints, describe_range, instruction, tokens_of};
use crate::settings::SummarizerSettings;

/// The first message where those that leave begin with the model's.
const LEFT_OUT: &str = include_str!("left_out.md");

/// A request and the instructions for what is to be made of it.
pub(crate) struct AskedCompaction {
    pub(crate) request: CompletionRequest,
    pub(crate) instructions: String,
}

/// Builds the request; `None` if there are no messages, or they do not fit the window or break a rule.
///
/// Where the session's request is in the provider's cache, this is its beginning up to the last message that leaves, with the
/// same tools and system prompt. Otherwise it has the leaving messages alone.
pub(crate) fn ask_provider(
    asked: &SummaryRequest<'_>,
    info: &ModelInfo,
    settings: &SummarizerSettings,
) -> Option<AskedCompaction> {
    let warm = asked.prefix.filter(|prefix| prefix.model == info.name);
    let warm = warm.and_then(|prefix| behind_prefix(asked, &prefix, info, settings));
    let made = warm.or_else(|| alone(asked, info, settings))?;
    // A conversation that is compacted may end with the model's words.
    let ends = RequestFault::Messages(Violation::EndsWithAssistant);
    made.request.faults().iter().all(|fault| *fault == ends).then_some(made)
}

fn behind_prefix(
    asked: &SummaryRequest<'_>,
    prefix: &SummaryPrefix<'_>,
    info: &ModelInfo,
    settings: &SummarizerSettings,
) -> Option<AskedCompaction> {
    let all = prefix.transcript.entries();
    let last = asked.entries.last()?;
    let end = all.iter().position(|entry| entry.span == last.span)? + 1;
    let (sent, rest) = all.split_at_checked(end)?;
    let which = describe_range(asked.entries, sent, settings.quote_bytes)?;
    let instructions = instruction(&which, asked.prompt);
    let tokens =
        prefix.tokens.saturating_sub(tokens_of(rest)).saturating_add(asked.counter.text(&instructions));
    if tokens.saturating_add(prefix.max_output_tokens) > info.window {
        return None;
    }
    let request = CompletionRequest {
        model: info.name.clone(),
        session: Some(prefix.session.clone()),
        tools: Arc::clone(prefix.tools),
        system: Arc::clone(prefix.system),
        transcript: View::from_entries(sent.to_vec(), 0, last.span.last).transcript().clone(),
        tail: Vec::new(),
        breakpoints: breakpoints(sent, prefix.system, info),
        max_output_tokens: prefix.max_output_tokens,
    };
    Some(AskedCompaction { request, instructions })
}

fn alone(
    asked: &SummaryRequest<'_>,
    info: &ModelInfo,
    settings: &SummarizerSettings,
) -> Option<AskedCompaction> {
    let first = asked.entries.first()?;
    let instructions = instruction("everything", asked.prompt);
    let shown = tokens_of(asked.entries).saturating_add(asked.counter.text(&instructions));
    let free = settings.free(info.window, shown);
    let summary =
        asked.budget.saturating_mul(settings.budget_factor).saturating_add(settings.thinking_tokens);
    let max_output_tokens = summary.min(info.max_output).min(free);
    let opening = (first.message.role == Role::Assistant).then(|| Message::user(LEFT_OUT.trim_end()));
    let messages = asked.entries.iter().map(|entry| entry.message.as_ref().clone());
    let request =
        CompletionRequest::of_messages(&info.name, opening.into_iter().chain(messages), max_output_tokens);
    (max_output_tokens >= asked.budget.min(info.max_output))
        .then_some(AskedCompaction { request, instructions })
}
