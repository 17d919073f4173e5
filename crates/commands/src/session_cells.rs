//! What every list of sessions shows of one: its cost and its folder.

use anyhow::Context as _;
use throughline_completion::{Cost, Dollars};
use throughline_config::with_tilde;
use throughline_connect::{cost_of, dollars_text, model_table};
use throughline_continuity::SessionSummary;
use throughline_stored::Storage;
use throughline_text::{cut_start, plain};

/// Maximum bytes of a folder.
const FOLDER: usize = 36;

/// The cost of each session, in the order of the list.
///
/// # Errors
/// The log or the table of models cannot be read.
pub async fn session_costs(data: &Storage, sessions: &[SessionSummary]) -> anyhow::Result<Vec<Cost>> {
    let table = model_table()?;
    let mut costs = Vec::with_capacity(sessions.len());
    for session in sessions {
        let id = &session.info.id;
        let used = data
            .usage_records(id)
            .await
            .with_context(|| format!("could not read what session {id} has cost"))?;
        costs.push(cost_of(used.iter().map(|record| &record.body), &table));
    }
    Ok(costs)
}

/// A cost in a column: `≥` before a lower bound, `?` if no price is known.
#[must_use]
pub fn cost_cell(cost: &Cost) -> String {
    match cost.dollars() {
        _ if cost.all_requests() == 0 => "-".to_owned(),
        Dollars::Exact(dollars) => dollars_text(dollars),
        Dollars::AtLeast(dollars) => format!("≥{}", dollars_text(dollars)),
        Dollars::Unknown => "?".to_owned(),
    }
}

/// A folder in a column: below the home folder with `~`, and of a long path the end.
#[must_use]
pub fn folder_cell(folder: &str) -> String {
    let short = plain(&with_tilde(folder));
    if short.len() <= FOLDER { short } else { format!("…{}", cut_start(&short, FOLDER)) }
}
