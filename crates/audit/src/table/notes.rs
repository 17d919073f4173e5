//! The legend, what is an estimate, and the recommendation.

use std::collections::BTreeSet;

use throughline_replay::SessionPart;
use throughline_terminal::table;
use throughline_text::{group_thousands, headline, plain};

use crate::money::{dollars, share};
use crate::session::SessionAudit;
use crate::totals::{AuditReport, AuditTotals};

/// The meaning of the columns.
pub(crate) const COLUMNS: &str = include_str!("columns.md");

/// Columns of running text.
const WIDTH: usize = 100;

/// The columns, and the whole id of each session.
pub(crate) fn legend(report: &AuditReport) -> Vec<String> {
    let mut lines = wrapped(COLUMNS);
    lines.push(String::new());
    lines.extend(table(&names(report)));
    lines
}

/// The whole id of each session.
pub(crate) fn names(report: &AuditReport) -> Vec<Vec<String>> {
    let mut rows = vec![["#", "FORMAT", "TURNS", "SESSION"].map(str::to_owned).to_vec()];
    rows.extend(report.sessions.iter().enumerate().map(|(place, session)| {
        vec![
            (place + 1).to_string(),
            session.format.to_string(),
            session.turns.to_string(),
            headline(&whole_name(session), usize::MAX),
        ]
    }));
    rows
}

/// The id of a session, and what it is of which other one.
fn whole_name(session: &SessionAudit) -> String {
    let parent = session.parent.as_deref().unwrap_or_default();
    match session.part {
        SessionPart::Conversation if parent.is_empty() => session.session.clone(),
        SessionPart::Conversation => format!("{}, forked from {parent}", session.session),
        SessionPart::Rewound => format!("{}, a branch that was rewound", session.session),
        SessionPart::Subagent => format!("{}, a subagent of {parent}", session.session),
    }
}

/// What is an estimate, and what is missing.
pub(crate) fn notes(report: &AuditReport) -> Vec<String> {
    let totals = &report.totals;
    let mut lines = Vec::new();
    if totals.copied > 0 {
        lines.push(format!(
            "{} answers are copies, from forks or from files that were given twice: each answer counts once, where it was sent.",
            totals.copied
        ));
    }
    if totals.unshown > 0 {
        lines.push(format!(
            "{} answers are in no turn, because they say nothing, are joined with the next one, or are the summary of a compaction. They were paid, and are counted.",
            totals.unshown
        ));
    }
    lines.extend(earlier(report));
    if totals.estimated_inputs > 0 {
        lines.push(format!(
            "The input of {} of {} requests is an estimate: the log has no usage for them.",
            totals.estimated_inputs, totals.requests
        ));
    }
    if totals.estimated_outputs > totals.estimated_inputs {
        lines.push(format!(
            "The output of {} answers is counted from their text: the log has only a count from while they streamed.",
            totals.estimated_outputs - totals.estimated_inputs
        ));
    }
    lines.extend(unpriced(report));
    lines.extend(mergeable(totals));
    let compactions = || report.sessions.iter().flat_map(|session| &session.compactions);
    let estimated = compactions().filter(|one| one.summary_estimate > 0.0).count();
    if estimated > 0 {
        lines.push(format!(
            "The logs do not have the requests for the summaries of {estimated} of {} compactions: they are in no sum, and estimated above.",
            totals.compactions
        ));
    }
    if totals.other_price_requests > 0 {
        lines.push(format!(
            "{} requests were sent in fast mode, which costs more. Its price is not in the table of models, so they are counted at the \
             standard price.",
            totals.other_price_requests
        ));
    }
    if !report.policies.is_empty() {
        lines.push(
            "Policies are replayed off-policy: the recorded answers were given to the recorded requests."
                .to_owned(),
        );
    }
    lines
}

/// Requests whose model has no known price.
fn unpriced(report: &AuditReport) -> Option<String> {
    let requests = report.totals.unpriced_requests;
    let sessions = report.sessions.iter().filter(|session| session.unpriced_requests > 0);
    let models: BTreeSet<&str> = sessions.flat_map(|session| &session.models).map(String::as_str).collect();
    let models = if models.is_empty() {
        "a model without a name".to_owned()
    } else {
        plain(&models.into_iter().collect::<Vec<_>>().join(", "))
    };
    (requests > 0).then(|| {
        format!(
            "{requests} requests are in no sum of dollars, because no price is known for {models}: set `dollars` in a [[model]] entry \
             of your models.toml."
        )
    })
}

/// What came before the beginning of files that begin in the middle of a conversation.
fn earlier(report: &AuditReport) -> Option<String> {
    let begun: Vec<u64> =
        report.sessions.iter().map(|session| session.earlier).filter(|tokens| *tokens > 0).collect();
    (!begun.is_empty()).then(|| {
        format!(
            "{} in the middle of a conversation: {} tokens of the first request are earlier conversation that no file has.",
            match begun.len() {
                1 => "One file begins".to_owned(),
                files => format!("{files} files begin"),
            },
            group_thousands(begun.iter().sum()),
        )
    })
}

fn mergeable(totals: &AuditTotals) -> Option<String> {
    let (found, all) = (totals.mergeable.requests, totals.requests);
    (found > 0).then(|| {
        format!(
            "At most {found} of {all} requests ({} %) could have been one with the request before, for ${} of cache reads: they read \
             or search, and need nothing that it has shown first.",
            share(found as f64, all as f64),
            dollars(totals.mergeable.dollars),
        )
    })
}

/// The recommendation, always one sentence.
pub(crate) fn recommendation(report: &AuditReport) -> String {
    match &report.advice {
        Some(advice) => advice.sentence.clone(),
        None => "Nothing stands out: no single change would have saved one per cent.".to_owned(),
    }
}

/// Text in lines of at most 100 columns.
pub(crate) fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
