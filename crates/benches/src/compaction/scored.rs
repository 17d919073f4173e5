//! Generated work under every policy: file names, size, first request and rules after many compactions, and instructions
//! that results hide.

use std::sync::Arc;

use anyhow::Context as _;
use throughline_replay::{ReplayOptions, replay};

use crate::entrants::entrants;
use crate::generated::session;
use crate::observed::{AfterCut, Observer};
use crate::recordings::{Measure, RESERVED, options};

/// The window that is compacted again and again.
pub(crate) const WINDOW: u64 = 48_000;
/// The compactions after which requests are looked at.
const AFTER: [usize; 3] = [1, 5, 20];

/// Prints a row for each policy.
pub(crate) async fn run() -> anyhow::Result<()> {
    let session = Arc::new(session());
    println!(
        "\ntrail, ratchet, injected: generated work of {} requests at {WINDOW}",
        session.steps().count()
    );
    println!(
        "FILES: of the files changed so far, the per cent that are named after 1, 5 and 20 cuts. SIZE: tokens of the"
    );
    println!(
        "conversation then. FIRST, RULES: the first request and the rules that are there word for word after the last"
    );
    println!("cut. OWN: summaries that say as their own words what a result asked for.\n");
    println!("  {:<22} {:>4}  {:<17} {:<22} FIRST  RULES  OWN", "POLICY", "CUTS", "FILES", "SIZE");
    for entrant in entrants(WINDOW, RESERVED) {
        let observer = Arc::new(Observer::default());
        let options =
            ReplayOptions { check: Some(observer.clone()), ..options(WINDOW, &entrant, Measure::default()) };
        replay(&session, &options).await.with_context(|| format!("the policy {} failed", entrant.name))?;
        let seen = observer.seen();
        let last = seen.cuts.last();
        let at = |show: fn(&AfterCut) -> String| {
            let cells = AFTER.map(|number| seen.cuts.get(number - 1).map_or("-".to_owned(), show));
            cells.join(" / ")
        };
        println!(
            "  {:<22} {:>4}  {:<17} {:<22} {:<6} {:<6} {}",
            entrant.name,
            seen.cuts.len(),
            at(|cut| format!("{:.0}", 100.0 * cut.files.0 as f64 / cut.files.1.max(1) as f64)),
            at(|cut| cut.tokens.to_string()),
            last.map_or("-", |cut| if cut.first { "yes" } else { "no" }),
            last.map_or("-".to_owned(), |cut| format!("{}/{}", cut.rules.0, cut.rules.1)),
            seen.injected,
        );
    }
    Ok(())
}
