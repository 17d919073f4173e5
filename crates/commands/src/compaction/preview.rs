//! `/compact --preview`: what a compaction would do.

use serde_json::json;
use throughline_agent::{Agent, CompactionProposal};
use throughline_groups::{Removed, removed};
use throughline_policies::SummaryStyle;
use throughline_text::group_thousands;

use super::{gone, sizes, summary_price};
use crate::answer::Answer;
use crate::diff::pays_back;

/// Names that are listed.
const NAMES: usize = 24;

/// What would leave, what names would no longer be in view, the prices and the summary. Nothing is changed yet. `prices`: of
/// [`summary_prices`].
pub fn preview(proposal: &CompactionProposal, prices: &str) -> anyhow::Result<Answer> {
    let result = proposal.result();
    let Removed { covers, replaced, .. } = removed(proposal.before(), proposal.edit());
    let mut lines = vec![
        "Preview: nothing is compacted yet.".to_owned(),
        format!("{}.", sizes(result)),
        format!(
            "Price: {} tokens would be written to the prompt cache again; {}.",
            group_thousands(result.rewritten_tokens),
            pays_back(proposal.pays_back_after)
        ),
    ];
    lines.extend(
        proposal
            .degraded()
            .iter()
            .map(|part| format!("{}: {} ({}).", part.subsystem, part.fallback, part.cause)),
    );
    lines.push(prices.to_owned());
    lines.extend(summary_price(proposal.asked())?);
    lines.extend(gone(&covers, &replaced, |tokens| proposal.shown_tokens(tokens)));
    let lost = proposal.lost_names();
    lines.push(lost_line(&lost));
    let summaries: Vec<&str> = proposal.summaries().collect();
    for summary in &summaries {
        lines.extend([String::new(), "The summary:".to_owned(), String::new(), (*summary).to_owned()]);
    }
    let mut answer = Answer::lines(&lines);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("preview".to_owned(), serde_json::to_value(result)?);
        object.insert("lost_names".to_owned(), json!(lost));
        object.insert("summaries".to_owned(), json!(summaries));
    }
    Ok(answer)
}

/// What a summary of each style costs now, in one sentence.
#[must_use]
pub fn summary_prices(agent: &Agent) -> String {
    let price = |style: SummaryStyle| {
        let asked = agent.summary_price(style.tokens())?;
        let price = group_thousands(asked.price.round().max(0.0) as u64);
        let waits = asked.ms.map_or(String::new(), |ms| format!(" and about {} s", ms.div_ceil(1_000)));
        Some(format!("{style} {price} tokens of input{waits}"))
    };
    let asked: Vec<String> =
        [SummaryStyle::Brief, SummaryStyle::Thorough].into_iter().filter_map(price).collect();
    match asked.as_slice() {
        [] => "Summaries are written by rule: no model writes them.".to_owned(),
        asked => format!("A summary costs: by rule nothing, {}.", asked.join(", ")),
    }
}

fn lost_line(lost: &[String]) -> String {
    let listed = lost.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = match lost.len().saturating_sub(NAMES) {
        0 => String::new(),
        more => format!(" and {} more", group_thousands(more as u64)),
    };
    match lost.len() {
        0 => "Every name stays in view.".to_owned(),
        1 => format!("1 name would leave the view: {listed}. The model can search the session for it."),
        names => format!(
            "{} names would leave the view: {listed}{more}. The model can search the session for them.",
            group_thousands(names as u64)
        ),
    }
}
