//! The five figures with which the page of a session begins.

use maud::{Markup, html};
use throughline_completion::Dollars;
use throughline_conversation::WindowFigures;

use super::chart::parts;
use super::overview::CompactionRow;
use super::strip::line_of;
use super::text::{cost, counted, duration, figure, incomplete, money, percent, short_figure};
use super::why::linked;
use crate::inspector::{RequestPoint, SessionFigures, TurnRow};

/// What the five figures are made of.
pub(super) struct FigureCards<'a> {
    pub(super) figures: &'a SessionFigures,
    pub(super) points: &'a [RequestPoint],
    pub(super) turns: &'a [TurnRow],
    pub(super) compactions: &'a [CompactionRow],
    /// The window of the next request, as `throughline context` estimates it. `None`: that is not known, and the last request
    /// is shown in its place.
    pub(super) next: Option<WindowFigures>,
    /// The address of the session; `None`: its pages cannot be reached.
    pub(super) address: Option<&'a str>,
}

impl FigureCards<'_> {
    /// The cards. Nothing without a request.
    pub(super) fn show(&self) -> Markup {
        let Some(last) = self.points.last() else { return html! {} };
        html! {
            section.figures aria-label="Figures" {
                (self.context_card(last))
                (self.cost_card())
                (self.cache_card())
                (self.compactions_card())
                (self.work_card())
            }
        }
    }

    /// What the next request has in its window.
    fn context_card(&self, last: &RequestPoint) -> Markup {
        let window = self.next.unwrap_or(last.window);
        let (used, room) = (window.used.total(), window.effective_window());
        let segments = match self.next {
            Some(next) => {
                vec![("c-fixed", next.used.fixed()), ("c-paid", used.saturating_sub(next.used.fixed()))]
            }
            None => parts(last).map(|(_, class, tokens)| (class, tokens)).to_vec(),
        };
        let is_compacted_since =
            self.compactions.last().is_some_and(|one| one.request.is_none() && !one.undone);
        html! {
            div.card {
                h2 { (linked(self.address, "/conversation", "Context now")) }
                p.value { @if self.next.is_some() { "≈ " } (short_figure(used)) " " small { "of " (short_figure(room)) } }
                (line_of(&segments, room.max(used)))
                p.sub {
                    (percent(used, room)) " full"
                    " · last request "
                    @if self.next.is_some() { (short_figure(last.window.used.total())) }
                    @if last.dollars.is_some() { @if self.next.is_some() { ", " } (money(last.dollars)) }
                    @if self.next.is_none() && is_compacted_since { ", compacted since" }
                }
            }
        }
    }

    fn cost_card(&self) -> Markup {
        let figures = self.figures;
        let asked = self.turns.iter().filter(|turn| turn.requests > 0).count();
        let last_turn = self.turns.last().map_or(Dollars::Unknown, |turn| turn.dollars);
        html! {
            div.card {
                h2 { (linked(self.address, "/cost", "Cost")) }
                p.value { (cost(figures.dollars)) }
                p.sub {
                    @match figures.dollars {
                        Dollars::Unknown => { "the price of a model is not known: " code { "models.toml" } " can name it" },
                        Dollars::AtLeast(_) => { (incomplete(figures)) },
                        Dollars::Exact(dollars) => {
                            @if asked > 0 { "≈ " (money(Some(dollars / asked as f64))) " a turn" }
                            @if last_turn != Dollars::Unknown { " · last turn " (cost(last_turn)) }
                        },
                    }
                }
            }
        }
    }

    /// How much of the input came from the cache, and what that saved.
    fn cache_card(&self) -> Markup {
        let usage = self.figures.usage;
        let (read, prompt) = (usage.cache_read, usage.prompt());
        let misses: f64 = self.points.iter().filter_map(|point| point.missed_dollars).sum();
        html! {
            div.card {
                h2 { (linked(self.address, "/requests", "Cache")) }
                p.value { (percent(read, prompt)) " " small { "of the input" } }
                (line_of(&[("c-cached", read), ("c-paid", prompt.saturating_sub(read))], prompt))
                p.sub {
                    @match self.figures.cache_saved {
                        Some(saved) => {
                            @if saved < 0.0 { "cost " (money(Some(-saved))) " more than none" } @else { "saved " (money(Some(saved))) }
                            @if misses > 0.0 { " · misses cost " (money(Some(misses))) }
                        },
                        None => { (short_figure(read)) " of " (short_figure(prompt)) " tokens" },
                    }
                }
            }
        }
    }

    /// How many compactions there were, and what they cost. Those that are undone are in none of it.
    fn compactions_card(&self) -> Markup {
        let live: Vec<&CompactionRow> = self.compactions.iter().filter(|one| !one.undone).collect();
        let left = |one: &&CompactionRow| Some(one.before?.saturating_sub(one.after?));
        let left: u64 = live.iter().filter_map(left).sum();
        let undone = self.compactions.len() - live.len();
        let sum = |of: fn(&CompactionRow) -> Option<f64>| {
            live.iter().filter_map(|one| of(one)).reduce(|one, other| one + other)
        };
        let (spent, saved) = (sum(|one| one.dollars), sum(|one| one.saved));
        html! {
            div.card {
                h2 { @match self.compactions.last() {
                    Some(newest) => { (linked(self.address, &format!("/compactions/{}", newest.number), "Compactions")) },
                    None => { "Compactions" },
                } }
                p.value.engine[!live.is_empty()] { (figure(live.len() as u64)) @if left > 0 { " " small { "−" (short_figure(left)) " tokens" } } }
                p.sub {
                    @if live.is_empty() && undone == 0 { "nothing was compacted yet" }
                    @else if let Some(spent) = spent { (money(Some(spent))) " spent" @if let Some(saved) = saved { " · " (saved_text(saved)) } }
                    @else if !live.is_empty() { "what they cost is not known" }
                    @if undone > 0 { @if !live.is_empty() { " · " } (figure(undone as u64)) " undone" }
                }
            }
        }
    }

    fn work_card(&self) -> Markup {
        let SessionFigures { turns, requests, calls, took_ms, idle_ms, .. } = self.figures;
        html! {
            div.card {
                h2 { (linked(self.address, "/requests", "Work")) }
                p.value { @if *took_ms > 0 { (duration(*took_ms)) } @else { (counted(*requests, "request")) } }
                p.sub { (counted(*turns, "turn")) " · " (counted(*requests, "request")) " · " (counted(*calls, "call")) @if *idle_ms > 0 { " · " (duration(*idle_ms)) " idle" } }
            }
        }
    }
}

/// What compactions saved.
pub(super) fn saved_text(dollars: f64) -> String {
    format!("saved {} of reading since", money(Some(dollars)))
}
