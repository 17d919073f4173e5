//! The audit of one session.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use serde::Serialize;
use throughline_conversation::{TokenCounter, ToolCall, Usage, is_inserted_text};
use throughline_replay::{Format, RecordedSession, RecordedTurn, SessionPart, learn_factor};

use super::causes::Causes;
use super::compactions::{AuditedCompaction, compactions};
use super::counted_answers::CountedAnswers;
use super::front::{FrontTokens, smallest_prompt};
use super::items::{AuditedItem, ItemKind, ItemMaker};
use super::mergeable::{MergeableSteps, mergeable};
use super::options::AuditOptions;
use super::reads::{ReadLog, RepeatedRead};
use super::request::{AuditedRequest, requests, unshown_requests};
use super::shares::SharedCosts;
use super::tools::{ToolCost, by_tool};

/// Items of a session that are listed.
const LISTED: usize = 20;

/// Where the money of a session went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionAudit {
    /// The recording's own name.
    pub session: String,
    /// Where it was read from.
    pub file: PathBuf,
    /// How it was recorded.
    pub format: Format,
    /// Which work of an agent it is.
    pub part: SessionPart,
    /// The session that it belongs to or was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// What of the recording is missing, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The models that answered, sorted.
    pub models: Vec<String>,
    /// Turns.
    pub turns: u64,
    /// Requests.
    pub requests: u64,
    /// Answers that another session has sent, or that were counted in a session before: they are in no other figure.
    #[serde(skip_serializing_if = "is_none")]
    pub copied: u64,
    /// Answers that are in no turn, because they say nothing or are joined with the next: they were paid and are counted.
    #[serde(skip_serializing_if = "is_none")]
    pub unshown: u64,
    /// Dollars of their input, which no policy is run over.
    #[serde(skip)]
    pub unshown_input: f64,
    /// Requests without recorded usage: their input is an estimate.
    pub estimated_inputs: u64,
    /// Answers whose tokens are counted from their text.
    pub estimated_outputs: u64,
    /// Requests to models whose price is not known: they cost nothing in all sums of dollars.
    pub unpriced_requests: u64,
    /// Requests in fast mode, which are counted at the standard price.
    #[serde(skip_serializing_if = "is_none")]
    pub other_price_requests: u64,
    /// Tokens of all requests.
    pub usage: Usage,
    /// Tokens of the largest request.
    pub peak: u64,
    /// Dollars of all requests.
    pub dollars: f64,
    /// The tokens of all requests by cause, and the dollars of those with a known price.
    pub causes: Causes,
    /// Tokens of system prompt and tool schemas in the first request.
    #[serde(skip)]
    pub front: u64,
    /// Tokens of the first request that are of an earlier conversation: the file begins in its middle.
    #[serde(skip_serializing_if = "is_none")]
    pub earlier: u64,
    /// Dollars that the tokens of idle restarts and of prefix changes would have cost less, had they been read.
    pub avoidable: AvoidableCost,
    /// Requests that could have been one with the request before.
    pub mergeable: MergeableSteps,
    /// The cost by tool, the dearest first; without prices the largest first.
    pub tools: Vec<ToolCost>,
    /// Files that were read more than once, the dearest first.
    pub repeated_reads: Vec<RepeatedRead>,
    /// The dearest items; where a price is not known, the largest ones.
    pub largest: Vec<AuditedItem>,
    /// Compactions of the recorded agent.
    pub compactions: Vec<AuditedCompaction>,
    /// The requests, and behind them those whose answers are in no turn.
    #[serde(skip)]
    pub steps: Vec<AuditedRequest>,
    /// Tokens of each request under the engine's default policy; empty where no policy was run.
    #[serde(skip)]
    pub engine_sizes: Vec<u64>,
}

/// What a warm cache would have saved, in dollars.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct AvoidableCost {
    /// Of idle restarts.
    pub idle_restarts: f64,
    /// Of prefix changes.
    pub prefix_changes: f64,
}

impl AvoidableCost {
    fn of(steps: &[AuditedRequest]) -> Self {
        let mut sum = Self::default();
        for step in steps {
            let over =
                |spent: super::Spent| (spent.dollars - step.price.reading(spent.tokens as f64)).max(0.0);
            sum.idle_restarts += over(step.causes.idle_restarts);
            sum.prefix_changes += over(step.causes.prefix_changes);
        }
        sum
    }
}

/// Audits a session. Answers that were counted in a session before cost nothing in this one.
#[must_use]
pub fn audit(
    session: &RecordedSession,
    options: &AuditOptions<'_>,
    counted: &mut CountedAnswers,
) -> SessionAudit {
    let factor = learn_factor(session, options.counter).unwrap_or(1.0);
    let own = counted.count(session);
    let mut steps = requests(session, options, factor, &own);
    let unshown = unshown_requests(session, options, &steps, counted);
    let mergeable = mergeable(session, &steps);
    let (mut costs, reads) = shared(session, &steps, options.counter, factor);
    let (front, earlier) =
        (tokens_of(ItemKind::Front, &costs.items), tokens_of(ItemKind::Earlier, &costs.items));
    let mut compactions = compactions(&steps);
    let copied = own.iter().filter(|own| !**own).count() as u64;
    if copied > 0 {
        compactions.retain(|one| own.get(one.request as usize - 1).copied().unwrap_or(true));
        steps.retain(|step| step.counted);
        // What came with the copied requests is another session's.
        costs.items.retain(|item| item.is_own);
    }
    let unshown_input = unshown.iter().map(|request| request.causes.input_dollars()).sum();
    let (unshown_count, avoidable) = (unshown.len() as u64, AvoidableCost::of(&steps));
    steps.extend(unshown);
    let (causes, usage) = sums(&steps);
    let count = |holds: fn(&AuditedRequest) -> bool| steps.iter().filter(|step| holds(step)).count() as u64;
    let unpriced = count(|step| !step.priced);
    SessionAudit {
        session: session.id.clone(),
        file: session.file.clone(),
        format: session.format,
        part: session.part,
        parent: session.parent.clone(),
        warnings: session.warnings.clone(),
        models: models(&steps),
        turns: session.turns.iter().filter(|turn| is_of_user(turn)).count() as u64,
        requests: steps.len() as u64,
        copied,
        unshown: unshown_count,
        unshown_input,
        estimated_inputs: count(|step| step.input_estimated),
        estimated_outputs: count(|step| step.output_estimated),
        unpriced_requests: unpriced,
        other_price_requests: count(|step| step.other_price),
        usage,
        peak: steps.iter().map(|step| step.usage.prompt()).max().unwrap_or_default(),
        dollars: causes.dollars(),
        causes,
        front,
        earlier,
        avoidable,
        mergeable,
        tools: by_tool(&costs.items),
        repeated_reads: reads.repeated(&costs.items),
        largest: largest(costs.items, unpriced == 0),
        compactions,
        steps,
        engine_sizes: Vec::new(),
    }
}

/// Returns true if a turn begins with something that the user has written: a context that a hook has restored may stand alone.
fn is_of_user(turn: &RecordedTurn) -> bool {
    turn.user.texts().next().is_none() || !turn.user.texts().all(is_inserted_text)
}

/// The cost and the tokens of all requests.
fn sums(steps: &[AuditedRequest]) -> (Causes, Usage) {
    let (mut causes, mut usage) = (Causes::default(), Usage::default());
    for step in steps {
        causes.add(&step.causes);
        usage = usage.plus(step.usage);
    }
    (causes, usage)
}

/// Tokens of the first item of a kind.
fn tokens_of(kind: ItemKind, items: &[AuditedItem]) -> u64 {
    items.iter().find(|item| item.kind == kind).map_or(0, |item| item.tokens.round() as u64)
}

/// The models that answered, sorted.
fn models(steps: &[AuditedRequest]) -> Vec<String> {
    let models: BTreeSet<String> = steps.iter().filter_map(|step| step.model.clone()).collect();
    models.into_iter().collect()
}

/// The dearest items; the largest ones where a price is not known.
fn largest(mut items: Vec<AuditedItem>, has_prices: bool) -> Vec<AuditedItem> {
    let dollars = |item: &AuditedItem| if has_prices { item.dollars() } else { 0.0 };
    items.sort_by(|a, b| dollars(b).total_cmp(&dollars(a)).then(b.tokens.total_cmp(&a.tokens)));
    items.truncate(LISTED);
    items
}

pub(super) fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Shares the cost of all requests over what was in them.
fn shared(
    session: &RecordedSession,
    steps: &[AuditedRequest],
    counter: &dyn TokenCounter,
    factor: f64,
) -> (SharedCosts, ReadLog) {
    let (mut costs, mut reads) = (SharedCosts::of(smallest_prompt(session)), ReadLog::default());
    let mut audited = steps.iter();
    let mut new = Vec::new();
    for (number, turn) in session.turns.iter().enumerate() {
        let make = ItemMaker { counter, factor, turn: number as u64 + 1 };
        new.push(make.user(&turn.user));
        for (step, request) in turn.steps.iter().zip(audited.by_ref()) {
            costs.request(request, std::mem::take(&mut new));
            reads.note(&costs);
            new.extend(make.answer(&step.assistant, request));
            let calls: HashMap<&str, &ToolCall> =
                step.assistant.tool_calls().map(|call| (call.id.as_str(), call)).collect();
            let results = step.results.iter();
            new.extend(
                results.map(|result| make.result(result, calls.get(result.call_id.as_str()).copied())),
            );
        }
    }
    // What came last was in no request, but it was written.
    costs.items.extend(new);
    (costs, reads)
}

/// Tokens of system prompt and tool schemas by the counter, as the usage of the first request shows them. `None`: the
/// recording has no usage for it.
#[must_use]
pub(crate) fn front_tokens(session: &RecordedSession, counter: &dyn TokenCounter) -> Option<u64> {
    let turn = session.turns.first()?;
    let prompt = turn.steps.first()?.usage?.prompt();
    let factor = learn_factor(session, counter).unwrap_or(1.0);
    let before = ((prompt as f64 / factor) as u64).saturating_sub(counter.message(&turn.user));
    let smallest = smallest_prompt(session).map(|smallest| smallest as f64 / factor);
    Some(FrontTokens::of(before as f64, smallest).front as u64)
}
