//! A decision by price, said to people in one sentence.

use throughline_conversation::{PriceTerms, PriceVerdict};
use throughline_text::{counted, group_thousands};

use crate::balance::{Balance, NeededAgain};
use crate::payback::requests_until_paid;

/// The reason of a decision by price in one sentence, with its figures. Prices are in tokens of uncached input.
#[must_use]
pub fn price_sentence(terms: &PriceTerms) -> String {
    let PriceTerms { request, left, cost, regret, paid, follows, .. } = terms;
    let price = cost + regret;
    let gain = thousands(request.saturating_sub(*left) as f64);
    let idle = idle_phrase(terms);
    match terms.verdict {
        PriceVerdict::Lean => {
            format!(
                "{idle}one that is due by itself would leave {} of {} tokens",
                thousands(*left as f64),
                thousands(*request as f64)
            )
        }
        PriceVerdict::NotPaid => {
            let after = requests_until_paid(price, terms.saving);
            let pays = after.map_or("never pays back".to_owned(), |after| {
                format!("pays back after {}", counted(after, "request"))
            });
            let files = unchanged_phrase(terms.unchanged_files);
            format!("{idle}leaving out {gain} tokens costs {} and {pays}{files}", thousands(price))
        }
        PriceVerdict::Waits => format!(
            "{idle}leaving out {gain} tokens is paid for ({} spent on them), but {follows} is not the end of a piece of work",
            thousands(*paid)
        ),
        PriceVerdict::Compacts if price <= 0.0 => {
            format!("{idle}leaving out {gain} tokens saves {} at once", thousands(-price))
        }
        PriceVerdict::Compacts => {
            let after = requests_until_paid(price, terms.saving).unwrap_or_default();
            format!(
                "{idle}after {follows}: leaving out {gain} tokens costs {} and pays back after {}",
                thousands(price),
                counted(after, "request")
            )
        }
        PriceVerdict::Overdue => format!(
            "{idle}{} were spent on {gain} old tokens and leaving them out costs {}: it waits no longer",
            thousands(*paid),
            thousands(price)
        ),
    }
}

/// The price of continuing behind an expired prompt cache, unchanged and after a compaction; `None` while the cache is warm.
/// `write` is the price of a token that is written to the cache.
#[must_use]
pub fn continuing_sentence(terms: &PriceTerms, write: f64) -> Option<String> {
    if !terms.cold {
        return None;
    }
    let unchanged = write * terms.request as f64;
    let compacted = (unchanged + terms.cost).max(0.0);
    let (idle, unchanged, compacted) = (idle_phrase(terms), thousands(unchanged), thousands(compacted));
    let what = if terms.verdict.compacts() { "it compacts first" } else { "`/compact` does it" };
    Some(match terms.verdict {
        PriceVerdict::Lean => {
            format!("{idle}continuing costs {unchanged} tokens of input, and a compaction would gain nothing")
        }
        _ => format!(
            "{idle}continuing unchanged costs {unchanged} tokens of input, after a compaction {compacted}: {what}"
        ),
    })
}

/// What compactions have saved and what was needed again, for the end of a sentence.
#[must_use]
pub fn balance_phrase(balance: &Balance) -> String {
    let Balance { saved, regret, needed, .. } = balance;
    let saved = match saved.round() {
        saved if saved < 0.0 => format!("have not paid back {} tokens of input yet", thousands(-saved)),
        saved => format!("have saved {} tokens of input", thousands(saved)),
    };
    if needed.is_nothing() {
        return format!("compactions {saved}, and nothing that they removed was needed again");
    }
    let NeededAgain { names, lines, files, read_back } = *needed;
    let parts = [
        (names, counted(names, "name")),
        (lines, counted(lines, "quoted line")),
        (files, format!("{} read again", counted(files, "file"))),
        (read_back, format!("{} read back", group_thousands(read_back))),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    let (regret, parts) = (thousands(*regret), parts.join(", "));
    format!("compactions {saved}, and what they removed was needed again for {regret} ({parts})")
}

/// Files whose reading a compaction would undo, where they count.
fn unchanged_phrase(files: u64) -> String {
    match files {
        0 => String::new(),
        _ => format!("; {} files were read and are not changed yet", group_thousands(files)),
    }
}

/// How long the session was idle, where that matters.
fn idle_phrase(terms: &PriceTerms) -> String {
    const MINUTE: u64 = 60_000;
    match (terms.cold, terms.idle_ms) {
        (false, _) => String::new(),
        (true, None) => "the prompt cache is cold: ".to_owned(),
        (true, Some(idle)) if idle < MINUTE => format!("idle {} s, the prompt cache is cold: ", idle / 1_000),
        (true, Some(idle)) if idle < 120 * MINUTE => {
            format!("idle {} min, the prompt cache is cold: ", idle / MINUTE)
        }
        (true, Some(idle)) => format!("idle {} h, the prompt cache is cold: ", idle / (60 * MINUTE)),
    }
}

/// A price or a size: in thousands from 10,000 on.
fn thousands(tokens: f64) -> String {
    let tokens = tokens.round().max(0.0) as u64;
    if tokens >= 10_000 {
        format!("{}k", group_thousands((tokens + 500) / 1_000))
    } else {
        group_thousands(tokens)
    }
}

#[cfg(test)]
mod tests;
