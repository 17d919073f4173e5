//! Why a session was expensive, in at most three sentences that lead to their evidence.

use maud::{Markup, html};

use super::text::{cost, counted, lost, money, percent, short_figure};
use crate::inspector::{CauseCost, LostCache, RequestPoint, SessionFigures};

/// A session of fewer requests needs no summary.
const FEWEST: u64 = 5;

/// What a session paid most for.
pub(super) struct Expense {
    /// What it is, as the start of a sentence.
    pub(super) what: String,
    pub(super) dollars: f64,
}

/// The card. Nothing where prices are not known, or there is little to say.
pub(super) fn why_card(
    figures: &SessionFigures,
    points: &[RequestPoint],
    causes: &[CauseCost],
    dearest: Option<&Expense>,
    links: Option<&str>,
) -> Markup {
    let whole = figures.dollars.at_least().unwrap_or_default();
    let (Some(cause), true) = (causes.first(), figures.requests >= FEWEST && whole > 0.0) else {
        return html! {};
    };
    let share = |dollars: f64| percent((dollars * 1e6) as u64, (whole * 1e6) as u64);
    let average = figures.usage.prompt() / figures.requests.max(1);
    let caches: Vec<LostCache> = points.iter().filter_map(RequestPoint::lost_cache).collect();
    let missed: f64 = caches.iter().filter_map(|cache| cache.dollars).sum();
    let dollars = |cache: &LostCache| cache.dollars.unwrap_or_default();
    let worst = caches.iter().max_by(|one, other| dollars(one).total_cmp(&dollars(other)));
    html! {
        section.card.why {
            h2 { "Why it cost " (cost(figures.dollars)) }
            ul.plain {
                li {
                    (share(cause.dollars)) " (" (cost(cause.known())) ") is "
                    (linked(links, "/cost", &cause.cause))
                    ": " (counted(figures.requests, "request")) " with " (short_figure(average)) " tokens of input on average."
                }
                @if let (Some(worst), true) = (worst, missed > 0.0) { li {
                    (counted(caches.len() as u64, "lost cache")) " cost " (money(Some(missed))) ", the dearest before "
                    (linked(links, &format!("/requests/{}", worst.request), &format!("request {}", worst.request)))
                    ": " (lost(worst)) "."
                } }
                @if let Some(dearest) = dearest { li {
                    (dearest.what) ": " (money(Some(dearest.dollars))) ", " (share(dearest.dollars)) ". "
                    (linked(links, "/cost", "By tool and item"))
                } }
            }
        }
    }
}

/// A text that leads to a page of the session, where pages can be reached.
pub(super) fn linked(links: Option<&str>, rest: &str, text: &str) -> Markup {
    html! { @match links { Some(links) => { a href={ (links) (rest) } { (text) } }, None => { (text) } } }
}
