//! The five figures with which the page of a session begins.

use maud::{Markup, html};
use throughline_providers::models::ModelTable;

use super::chart::{line_of, parts};
use super::overview::CompactionRow;
use super::text::{counted, duration, figure, money, percent, short_figure};
use crate::inspector::{RequestPoint, TurnRow, cache_saving};

/// The five figures. Nothing without a request.
pub(super) fn figures(
    points: &[RequestPoint],
    turns: &[TurnRow],
    compactions: &[CompactionRow],
    table: &ModelTable,
) -> Markup {
    let Some(last) = points.last() else { return html! {} };
    let (used, room) = (last.window.used.total(), last.window.effective_window());
    let segments = parts(last).map(|(_, class, tokens)| (class, tokens));
    let dollars = points.iter().map(|point| point.dollars).sum::<Option<f64>>();
    let last_turn = turns.last().and_then(|turn| turn.dollars);
    let took: i64 = turns.iter().filter_map(|turn| turn.took_ms).sum();
    let idle: i64 = turns.iter().filter_map(|turn| turn.idle_ms).sum();
    let calls: u64 = turns.iter().map(|turn| turn.calls).sum();
    let asked = turns.iter().filter(|turn| turn.requests > 0).count() as u64;
    html! {
        section.figures aria-label="Figures" {
            div.card {
                h2 { "Context now" }
                p.value { (short_figure(used)) " " small { "of " (short_figure(room)) } }
                (line_of(&segments, room.max(used)))
                p.sub { (percent(used, room)) " full" @if last.dollars.is_some() { " · last request " (money(last.dollars)) } }
            }
            div.card {
                h2 { "Cost" }
                p.value { (money(dollars)) }
                p.sub {
                    @match dollars {
                        None => { "the price of a model is not known: " code { "models.toml" } " can name it" },
                        Some(dollars) => {
                            @if asked > 0 { "≈ " (money(Some(dollars / asked as f64))) " a turn" }
                            @if last_turn.is_some() { " · last turn " (money(last_turn)) }
                        },
                    }
                }
            }
            (cache_card(points, dollars.is_some(), table))
            (compactions_card(points, compactions))
            div.card {
                h2 { "Work" }
                p.value { @if took > 0 { (duration(took)) } @else { (counted(points.len() as u64, "request")) } }
                p.sub { (counted(turns.len() as u64, "turn")) " · " (counted(points.len() as u64, "request")) " · " (counted(calls, "call")) @if idle > 0 { " · " (duration(idle)) " idle" } }
            }
        }
    }
}

/// How much of the input came from the cache, and what that saved.
fn cache_card(points: &[RequestPoint], has_prices: bool, table: &ModelTable) -> Markup {
    let read: u64 = points.iter().map(|point| point.usage.cache_read).sum();
    let prompt: u64 = points.iter().map(|point| point.usage.prompt()).sum();
    let misses: f64 = points.iter().filter_map(|point| point.missed_dollars).sum();
    html! {
        div.card {
            h2 { "Cache" }
            p.value { (percent(read, prompt)) " " small { "of the input" } }
            (line_of(&[("c-cached", read), ("c-paid", prompt.saturating_sub(read))], prompt))
            p.sub {
                @match cache_saving(points, table).filter(|_| has_prices) {
                    Some(saved) => { "saved " (money(Some(saved))) @if misses > 0.0 { " · misses cost " (money(Some(misses))) } },
                    None => { (short_figure(read)) " of " (short_figure(prompt)) " tokens" },
                }
            }
        }
    }
}

/// What compactions saved.
pub(super) fn saved_text(dollars: f64) -> String {
    format!("saved {} of reading since", money(Some(dollars)))
}

/// How many compactions there were, and what they cost.
fn compactions_card(points: &[RequestPoint], compactions: &[CompactionRow]) -> Markup {
    let left: u64 = points.iter().filter_map(|point| point.compacted).sum();
    let live = compactions.iter().filter(|one| !one.undone).count() as u64;
    let sum = |of: fn(&CompactionRow) -> Option<f64>| {
        compactions.iter().filter_map(of).reduce(|one, other| one + other)
    };
    let (spent, saved) = (sum(|one| one.dollars), sum(|one| one.saved));
    html! {
        div.card {
            h2 { "Compactions" }
            p.value.engine[live > 0] { (figure(live)) @if left > 0 { " " small { "−" (short_figure(left)) " tokens" } } }
            p.sub {
                @if live == 0 { "nothing was compacted yet" }
                @else if let Some(spent) = spent { (money(Some(spent))) " spent" @if let Some(saved) = saved { " · " (saved_text(saved)) } }
                @else { "what they cost is not known" }
            }
        }
    }
}
