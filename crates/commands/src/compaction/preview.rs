//! `/compact --preview`: what a compaction would do.

use serde_json::json;
use throughline_agent::CompactionProposal;
use throughline_groups::{Removed, removed};
use throughline_text::group_thousands;

use super::{gone, sizes, summary_price};
use crate::answer::Answer;
use crate::diff::breaks_even;

/// Names that are listed.
const NAMES: usize = 24;

/// What would leave, what names would no longer be in view, the price and the summary. Nothing is changed yet.
pub fn preview(proposal: &CompactionProposal) -> anyhow::Result<Answer> {
    let result = proposal.result();
    let Removed { covers, replaced, .. } = removed(proposal.before(), proposal.edit());
    let mut lines = vec![
        "Preview: nothing is compacted yet.".to_owned(),
        format!("{}.", sizes(result)),
        format!(
            "Price: {} tokens would be written to the prompt cache again{}.",
            group_thousands(result.rewritten_tokens),
            breaks_even(proposal.pays_back_after)
        ),
    ];
    lines.extend(
        proposal
            .degraded()
            .iter()
            .map(|part| format!("{}: {} ({}).", part.subsystem, part.fallback, part.cause)),
    );
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
