//! Transcripts as the API shows them.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_audit::{AuditedItem, ToolCost};
use throughline_connect::dollars_figure;
use throughline_text::headline;
use throughline_watch::Delivery;

use super::places::FoundTranscript;
use super::read::TranscriptPart;
use super::reader::{SubTranscript, Transcripts};
use crate::inspector::CauseCost;

/// A transcript in the list. What is null is not known yet: the files are read one after the other.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Transcript")]
pub(crate) struct TranscriptObject {
    /// Its name in paths of this API.
    pub(crate) transcript: String,
    /// `claude`, `codex`, `copilot`, `gemini`, `pi`, `opencode` or the name of another format.
    pub(crate) agent: Option<String>,
    /// The agent's own id of the session.
    pub(crate) session: String,
    pub(crate) title: String,
    /// The folder that the agent worked in.
    pub(crate) folder: Option<String>,
    pub(crate) file: String,
    pub(crate) bytes: u64,
    pub(crate) modified_ms: i64,
    pub(crate) model: Option<String>,
    pub(crate) turns: Option<u64>,
    pub(crate) requests: Option<u64>,
    /// Those of them whose answers are in no turn: the list of the requests does not have them.
    pub(crate) unshown_requests: Option<u64>,
    /// Tokens of the newest request.
    pub(crate) tokens: Option<u64>,
    /// Tokens of its window.
    pub(crate) window: Option<u64>,
    pub(crate) compactions: Option<u64>,
    /// Dollars, without subagents; null also where the price of a model is not known.
    pub(crate) cost_usd: Option<f64>,
    /// The same as far as prices are known; null where none is.
    pub(crate) cost_usd_at_least: Option<f64>,
}

impl TranscriptObject {
    /// What is known of a transcript.
    pub(crate) fn of(reader: &Transcripts, found: &FoundTranscript) -> Self {
        let head = reader.head(found);
        let figures = reader.figures(found).and_then(Result::ok);
        let named = found.agent.map(|agent| agent.to_string());
        Self {
            transcript: found.key.clone(),
            agent: figures.as_ref().map(|figures| figures.agent.clone()).or(named),
            session: found.file.id.clone(),
            title: figures.as_ref().map_or(head.title, |figures| figures.title.clone()),
            folder: head.folder.map(|folder| folder.display().to_string()),
            file: found.file.path.display().to_string(),
            bytes: found.bytes,
            modified_ms: figures.as_ref().and_then(|figures| figures.last).unwrap_or(found.modified).0,
            model: figures.as_ref().map(|figures| figures.model.clone()),
            turns: figures.as_ref().map(|figures| figures.turns),
            requests: figures.as_ref().map(|figures| figures.requests),
            unshown_requests: figures.as_ref().map(|figures| figures.unshown),
            tokens: figures.as_ref().and_then(|figures| figures.tokens),
            window: figures.as_ref().map(|figures| figures.window),
            compactions: figures.as_ref().map(|figures| figures.compactions),
            cost_usd: figures.as_ref().and_then(|figures| figures.dollars.exact().map(dollars_figure)),
            cost_usd_at_least: figures
                .as_ref()
                .and_then(|figures| figures.dollars.at_least().map(dollars_figure)),
        }
    }
}

/// A transcript with what it cost and why.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "TranscriptDetails")]
pub(crate) struct TranscriptDetails {
    #[serde(flatten)]
    pub(crate) transcript: TranscriptObject,
    /// What of the file is missing or does not fit, one sentence each.
    pub(crate) warnings: Vec<String>,
    /// The cost by cause, the dearest first.
    pub(crate) causes: Vec<CauseCost>,
    /// The cost by tool, the dearest first; in parentheses what is no tool.
    pub(crate) tools: Vec<ToolShare>,
    /// The dearest calls, results and messages.
    pub(crate) largest: Vec<CostlyItem>,
    pub(crate) subagents: Vec<SubagentObject>,
}

/// What a tool cost.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ToolShare {
    pub(crate) tool: String,
    pub(crate) calls: u64,
    /// Tokens of calls and results, each once.
    pub(crate) tokens: u64,
    /// Dollars in all requests that had them, and for writing the calls.
    pub(crate) dollars: f64,
}

impl From<&ToolCost> for ToolShare {
    fn from(cost: &ToolCost) -> Self {
        let ToolCost { tool, calls, tokens, .. } = cost;
        Self { tool: tool.clone(), calls: *calls, tokens: *tokens, dollars: cost.dollars() }
    }
}

/// A call, result or message, and what it cost.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CostlyItem {
    pub(crate) name: String,
    pub(crate) tool: Option<String>,
    pub(crate) turn: u64,
    pub(crate) tokens: u64,
    /// Requests that had it.
    pub(crate) requests: u64,
    pub(crate) dollars: f64,
}

impl From<&AuditedItem> for CostlyItem {
    fn from(item: &AuditedItem) -> Self {
        Self {
            name: item.name.clone(),
            tool: item.tool.clone(),
            turn: item.turn,
            tokens: item.tokens.round() as u64,
            requests: item.requests,
            dollars: item.dollars(),
        }
    }
}

/// A subagent, or a branch that the user has rewound.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "TranscriptSubagent")]
pub(crate) struct SubagentObject {
    pub(crate) transcript: String,
    /// `subagent` or `rewound branch`.
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) requests: u64,
    pub(crate) cost_usd: Option<f64>,
    pub(crate) cost_usd_at_least: Option<f64>,
}

impl From<&SubTranscript> for SubagentObject {
    fn from(sub: &SubTranscript) -> Self {
        Self {
            transcript: sub.key.clone(),
            kind: sub.kind,
            title: sub.figures.title.clone(),
            requests: sub.figures.requests,
            cost_usd: sub.figures.dollars.exact().map(dollars_figure),
            cost_usd_at_least: sub.figures.dollars.at_least().map(dollars_figure),
        }
    }
}

/// A compaction of another agent.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct TranscriptCompaction {
    pub(crate) number: u64,
    /// The record of the edit.
    pub(crate) record: u64,
    /// The first request after it; null: none was sent.
    pub(crate) request: Option<u64>,
    pub(crate) before_tokens: Option<u64>,
    pub(crate) after_tokens: Option<u64>,
    /// Dollars that the request after it paid for what was not in the cache.
    pub(crate) written_usd: Option<f64>,
    /// Dollars that later requests did not pay for reading what had left.
    pub(crate) saved_usd: Option<f64>,
    /// The beginning of the agent's own summary; empty where the file has none.
    pub(crate) summary: String,
    /// What became of the context that `throughline watch` restores: `delivered`, `late`, `missing` or `pending`; null where the
    /// agent's file does not tell.
    pub(crate) context: Option<&'static str>,
}

impl TranscriptPart {
    /// The compactions, oldest first.
    pub(crate) fn compaction_objects(&self) -> Vec<TranscriptCompaction> {
        let made = self.log.compaction_objects().into_iter().zip(1_u64..);
        let of =
            |object: &serde_json::Value, name: &str| object.get(name).and_then(serde_json::Value::as_u64);
        made.map(|(object, number)| {
            let at = usize::try_from(number - 1).unwrap_or(usize::MAX);
            let (own, request) = (self.compactions.get(at), of(&object, "request"));
            let cost =
                request.and_then(|request| self.audit.compactions.iter().find(|one| one.request == request));
            let cost = cost.filter(|_| self.audit.unpriced_requests == 0);
            TranscriptCompaction {
                number,
                record: of(&object, "record").unwrap_or_default(),
                request,
                before_tokens: of(&object, "before_tokens"),
                after_tokens: of(&object, "after_tokens"),
                written_usd: cost.map(|cost| cost.written),
                saved_usd: cost.map(|cost| cost.saved),
                summary: own.map_or_else(String::new, |own| headline(&own.summary, 160)),
                context: own.and_then(|own| delivery(own.delivery)),
            }
        })
        .collect()
    }
}

fn delivery(delivery: Delivery) -> Option<&'static str> {
    match delivery {
        Delivery::Delivered => Some("delivered"),
        Delivery::Late => Some("late"),
        Delivery::Missing => Some("missing"),
        Delivery::Pending => Some("pending"),
        Delivery::Empty => None,
    }
}
