//! The keys of the user's settings, and what they may hold.

use serde::Deserialize;
use toml::Spanned;

use clap::ValueEnum;

use crate::policy::Policy;

/// What the file says. What it does not say is `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Keys {
    pub(super) policy: Option<Policy>,
    pub(super) strict: bool,
    pub(super) context_budget: Option<u64>,
    pub(super) max_output_tokens: Option<u64>,
    pub(super) compact_trigger: Option<f64>,
    pub(super) hard_block: Option<f64>,
    pub(super) result_offload_threshold: Option<usize>,
    pub(super) tool_deferral_threshold: Option<f64>,
    pub(super) context_window_max: Option<u64>,
    pub(super) context_warn_pct: Option<u8>,
    pub(super) context_compact_pct: Option<u8>,
    pub(super) max_recent_messages: Option<usize>,
    pub(super) threshold: Option<u64>,
}

/// Where a file is wrong, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// From 1.
    pub(super) line: usize,
    pub(super) key: String,
    pub(super) why: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    agent: AgentTable,
    #[serde(default)]
    compaction: CompactionTable,
}

type Key<T> = Option<Spanned<T>>;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AgentTable {
    policy: Key<String>,
    strict: Option<bool>,
    context_budget: Key<u64>,
    max_output_tokens: Key<u64>,
    compact_trigger: Key<f64>,
    hard_block: Key<f64>,
    result_offload_threshold: Key<u64>,
    tool_deferral_threshold: Key<f64>,
    context_window_max: Key<u64>,
    context_warn_pct: Key<u8>,
    context_compact_pct: Key<u8>,
    max_recent_messages: Key<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CompactionTable {
    threshold: Key<u64>,
}

impl Keys {
    /// Reads a file's text. An unknown key, an unknown policy and a value out of range are errors: nobody writes them
    /// on purpose.
    pub(super) fn parse(text: &str) -> Result<Self, Wrong> {
        let Written { agent, compaction } = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            wrong(text, at, error.message().replace('\n', "; "))
        })?;
        let positive = |key: Key<u64>| checked(text, key, |value| *value > 0, "write a number above 0");
        let share = |key: Key<f64>| {
            let inside = |value: &f64| *value > 0.0 && *value <= 1.0;
            checked(text, key, inside, "write a fraction above 0 and at most 1, for example 0.95")
        };
        let percent = |key: Key<u8>| {
            checked(text, key, |value| (1..=100).contains(value), "write per cent of the window, 1 to 100")
        };
        let count = |key: Option<u64>| key.map(|value| usize::try_from(value).unwrap_or(usize::MAX));
        Ok(Self {
            policy: policy(text, agent.policy)?,
            strict: agent.strict.unwrap_or_default(),
            context_budget: positive(agent.context_budget)?,
            max_output_tokens: positive(agent.max_output_tokens)?,
            compact_trigger: share(agent.compact_trigger)?,
            hard_block: share(agent.hard_block)?,
            result_offload_threshold: count(positive(agent.result_offload_threshold)?),
            tool_deferral_threshold: share(agent.tool_deferral_threshold)?,
            context_window_max: positive(agent.context_window_max)?,
            context_warn_pct: percent(agent.context_warn_pct)?,
            context_compact_pct: percent(agent.context_compact_pct)?,
            max_recent_messages: count(positive(agent.max_recent_messages)?),
            threshold: compaction.threshold.map(Spanned::into_inner),
        })
    }
}

fn policy(text: &str, key: Key<String>) -> Result<Option<Policy>, Wrong> {
    let Some(name) = key else { return Ok(None) };
    let at = name.span().start;
    let known: Vec<&str> = Policy::value_variants().iter().map(|policy| policy.name()).collect();
    match Policy::named(name.get_ref()) {
        Some(policy) => Ok(Some(policy)),
        None => {
            let why = format!("there is no policy {:?}; write one of {}", name.get_ref(), known.join(", "));
            Err(wrong(text, at, why))
        }
    }
}

fn checked<T>(text: &str, key: Key<T>, good: impl Fn(&T) -> bool, mend: &str) -> Result<Option<T>, Wrong> {
    let Some(value) = key else { return Ok(None) };
    if good(value.get_ref()) {
        return Ok(Some(value.into_inner()));
    }
    Err(wrong(text, value.span().start, mend.to_owned()))
}

/// What is wrong at a byte of the text, with the line and the key that stands there.
fn wrong(text: &str, at: usize, why: String) -> Wrong {
    let line = text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
    let content = text.lines().nth(line - 1).unwrap_or_default();
    let key = content.split_once('=').map_or(content, |(key, _)| key).trim().to_owned();
    Wrong { line, key, why }
}
