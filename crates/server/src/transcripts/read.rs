//! A transcript, read whole.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use throughline_audit::{
    AuditOptions, AuditedRequest, CountedAnswers, RecordedSession, SessionAudit, SessionPart, ToolCost,
    audit, usual_window,
};
use throughline_completion::Dollars;
use throughline_connect::ModelTable;
use throughline_continuity::title_of;
use throughline_conversation::{Message, Millis, Record};
use throughline_policies::Estimator;
use throughline_stored::SessionLog;
use throughline_watch::{
    Delivery, ForeignAgent, ForeignCompaction, WatchError, compactions, first_request, head, read_session,
};

use super::convert::{CACHE_EXPIRED, Conversion, ConvertedLog, PREFIX_CHANGED};
use super::prices::{price_of, row_of};
use crate::agent_notes::is_folded_note;
use crate::inspector::{
    CauseCost, RequestPoint, SessionFigures, SideRequests, TurnRow, add, calls_of, dollars_of, idle_of,
    saved_of, sum_of, took_of,
};

/// Tokens of system prompt and tool schemas, where the recording does not show them.
const OVERHEAD: u64 = 6_000;

/// A transcript: the conversation, and the branches and subagents that are in the same file.
#[derive(Debug)]
pub(crate) struct ReadTranscript {
    /// The agent, by the format of the file.
    pub(crate) format: &'static str,
    /// The folder that the agent worked in.
    pub(crate) folder: Option<PathBuf>,
    /// The conversation with the user comes first.
    pub(crate) parts: Vec<TranscriptPart>,
}

/// One conversation of a transcript.
#[derive(Debug)]
pub(crate) struct TranscriptPart {
    pub(crate) kind: SessionPart,
    /// The session's own id.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) model: String,
    pub(crate) audit: SessionAudit,
    pub(crate) log: Arc<SessionLog>,
    pub(crate) points: Vec<RequestPoint>,
    /// The compactions that had requests before them, with the agent's summaries, where the file has them.
    pub(crate) compactions: Vec<ForeignCompaction>,
    /// What is missing in the file or did not fit, one sentence each.
    pub(crate) warnings: Vec<String>,
    needed: OnceLock<Arc<SessionLog>>,
}

impl TranscriptPart {
    /// The log with what later answers needed of what compactions removed. It is found when it is asked for first: in a long
    /// session it takes a while.
    pub(crate) fn log_with_needs(&self) -> Arc<SessionLog> {
        Arc::clone(self.needed.get_or_init(|| {
            let log = self.log.as_ref();
            Arc::new(SessionLog { records: super::needed::with_needs(&log.records), ..log.clone() })
        }))
    }

    /// The cost by cause, the dearest first; the largest first where a price is not known.
    pub(crate) fn causes(&self) -> Vec<CauseCost> {
        let named = self.audit.causes.named().into_iter().enumerate();
        let mut causes: Vec<CauseCost> = named
            .filter(|(_, (_, spent))| spent.tokens > 0)
            .map(|(place, (name, spent))| {
                let has_it = |step: &&AuditedRequest| {
                    step.causes.named().get(place).is_some_and(|(_, spent)| spent.tokens > 0)
                };
                let own = || self.audit.steps.iter().filter(has_it);
                let paid = |step: &AuditedRequest| {
                    let spent = step.causes.named().get(place).map(|(_, spent)| *spent);
                    spent.map_or((0.0, 0), |spent| (spent.dollars, spent.tokens))
                };
                CauseCost {
                    cause: cause_name(name),
                    requests: own().count() as u64,
                    tokens: spent.tokens,
                    dollars: spent.dollars,
                    unpriced: own().filter(|step| !step.priced).count() as u64,
                    dearest: self.dearest(paid),
                }
            })
            .collect();
        let has_prices = self.dollars() != Dollars::Unknown;
        let dollars = |cause: &CauseCost| if has_prices { cause.dollars } else { 0.0 };
        causes.sort_by(|one, other| {
            dollars(other).total_cmp(&dollars(one)).then(other.tokens.cmp(&one.tokens))
        });
        causes
    }

    /// The number of the request that a figure is largest of; `None`: it is 0 of all.
    fn dearest(&self, figure: impl Fn(&AuditedRequest) -> (f64, u64)) -> Option<u64> {
        let requests = self.audit.steps.iter().map(figure).zip(&self.points);
        // The audit has those whose answers are in no turn behind the others.
        let found = requests.filter(|(figure, _)| *figure > (0.0, 0));
        found
            .max_by(|(one, _), (other, _)| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)))
            .map(|(_, point)| point.request)
    }

    /// The cost by tool, the dearest first; the largest first where a price is not known.
    pub(crate) fn tools(&self) -> Vec<&ToolCost> {
        let mut tools: Vec<&ToolCost> = self.audit.tools.iter().collect();
        if self.dollars() == Dollars::Unknown {
            tools.sort_by_key(|tool| std::cmp::Reverse(tool.tokens));
        }
        tools
    }

    /// The cost.
    pub(crate) fn dollars(&self) -> Dollars {
        let SessionAudit { dollars, requests, unpriced_requests, .. } = &self.audit;
        let is_known = *requests == 0 || unpriced_requests < requests;
        dollars_of(is_known.then_some(*dollars), *unpriced_requests == 0)
    }

    /// The figures. Those of all requests are the audit's, so that they agree with `throughline audit`.
    pub(crate) fn figures(&self, turns: &[TurnRow]) -> SessionFigures {
        let audit = &self.audit;
        let (mut cache_saved, mut unpriced_models) = (None, Vec::new());
        for step in &audit.steps {
            if !step.priced {
                unpriced_models.extend(step.model.clone());
                continue;
            }
            add(&mut cache_saved, saved_of(step.price.price, step.usage, step.causes.dollars()));
        }
        unpriced_models.sort();
        unpriced_models.dedup();
        let unshown = audit.steps.get(audit.steps.len().saturating_sub(audit.unshown as usize)..);
        let unshown = unshown.unwrap_or_default();
        SessionFigures {
            turns: audit.turns,
            requests: audit.requests,
            calls: calls_of(turns),
            usage: audit.usage,
            dollars: self.dollars(),
            unpriced: audit.unpriced_requests,
            unpriced_models,
            unreported: 0,
            side: (!unshown.is_empty()).then(|| SideRequests {
                count: unshown.len() as u64,
                what: "whose answers are in no turn",
                dollars: sum_of(unshown.iter().map(|one| one.priced.then(|| one.causes.dollars()))),
            }),
            took_ms: took_of(turns),
            idle_ms: idle_of(&self.points),
            cache_saved,
        }
    }

    /// When the first and the last record were made; `None`: the file has no times.
    pub(crate) fn times(&self) -> Option<(Millis, Millis)> {
        let at = |record: Option<&Record>| record.map(|record| record.at).filter(|at| at.0 > 0);
        at(self.log.records.first()).zip(at(self.log.records.last()))
    }
}

/// The names of causes by which stored sessions are described.
fn cause_name(name: &str) -> String {
    match name {
        "new text" => "new input".to_owned(),
        "re-reading from the cache" => "read from the cache".to_owned(),
        "idle restarts" => format!("sent again: {CACHE_EXPIRED}"),
        "prefix changes" => format!("sent again: {PREFIX_CHANGED}"),
        "compactions" => "sent again after a compaction".to_owned(),
        other => other.to_owned(),
    }
}

/// Reads a file.
///
/// # Errors
/// It cannot be read, or is no recording.
pub(crate) fn read_file(path: &Path, table: &ModelTable) -> Result<ReadTranscript, WatchError> {
    let mut recorded = read_session(path)?;
    let folder = head(path).ok().and_then(|head| head.folder);
    let format = recorded.format.name();
    let separate = std::mem::take(&mut recorded.separate);
    let own = own_compactions(format, path);
    let mut counted = CountedAnswers::default();
    let mut parts = vec![part(&recorded, own, table, &mut counted)];
    parts.extend(separate.iter().map(|other| part(other, Vec::new(), table, &mut counted)));
    Ok(ReadTranscript { format, folder, parts })
}

/// The compactions of the conversation in a file, with the agent's summaries.
fn own_compactions(format: &str, path: &Path) -> Vec<ForeignCompaction> {
    let agent = match format {
        "claude-code" => ForeignAgent::Claude,
        "codex" => ForeignAgent::Codex,
        "gemini-cli" => ForeignAgent::Gemini,
        _ => return Vec::new(),
    };
    let mut found = compactions(agent, path).unwrap_or_default();
    found.retain(|one| one.delivery != Delivery::Empty);
    found
}

/// The first text of the user, where all begin as notes of an agent do: a question about markup.
fn first_words(recorded: &RecordedSession) -> Option<&str> {
    let messages = recorded.turns.iter().map(|turn| &turn.user).chain(&recorded.open_request);
    messages.flat_map(Message::texts).map(str::trim).find(|text| !text.is_empty() && !is_folded_note(text))
}

/// A recorded conversation with what it cost. `compactions`: those with the agent's summaries.
pub(super) fn part(
    recorded: &RecordedSession,
    compactions: Vec<ForeignCompaction>,
    table: &ModelTable,
    counted: &mut CountedAnswers,
) -> TranscriptPart {
    let counter = Estimator::Script.counter();
    let price = |model: Option<&str>| price_of(table, model);
    let options = AuditOptions { counter: counter.as_ref(), price: &price, overhead: OVERHEAD };
    let audited = audit(recorded, &options, counted);
    let row = row_of(table, recorded.model.as_deref());
    let shown = Estimator::default().counter();
    let conversion = Conversion {
        recorded,
        audit: &audited,
        compactions: &compactions,
        window: usual_window(row.info.window, audited.peak, 0),
        front: audited.front,
        counter: shown.as_ref(),
    };
    let ConvertedLog { log, points, misfits } = conversion.run();
    let given = recorded.title.as_deref().map(Cow::Borrowed);
    let title =
        given.or_else(|| first_request(recorded)).or_else(|| first_words(recorded).map(Cow::Borrowed));
    let mut warnings = recorded.warnings.clone();
    warnings.extend(misfits);
    TranscriptPart {
        kind: recorded.part,
        id: recorded.id.clone(),
        title: title_of(&title.unwrap_or_default()),
        model: recorded.model.clone().unwrap_or_default(),
        audit: audited,
        log: Arc::new(log),
        points,
        compactions,
        warnings,
        needed: OnceLock::new(),
    }
}
