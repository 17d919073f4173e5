//! A session turn by turn, and next to each message a line that shows whether the model still sees it.

use std::collections::HashMap;

use maud::{Markup, html};
use throughline_completion::Dollars;
use throughline_continuity::Unreadable;
use throughline_conversation::{ContentBlock, Message, Seq, WindowFigures};
use throughline_stored::SessionLog;
use throughline_text::cut_end;

use super::conversation_calls::{call_card, unmatched};
use super::conversation_sides::{legend, turn_list};
use super::layout::turner;
use super::markdown::markdown;
use super::overview::{CompactionRow, before_after};
use super::spoken::spoken;
use super::text::{bytes, cost, counted, duration, estimated, figure, lost, money, time};
use crate::agent_notes::is_folded_note;
use crate::answer::Failure;
use crate::inspector::{Conversation, GivenResult, RequestPoint, SaidItem, SaidKind, Sight, TurnRow};
use crate::page::Page;
use crate::params::Params;
use crate::route::{LARGEST, Param, ParamKind};

/// The parameters of a conversation, with those of every list.
pub(crate) const PLACE: &[Param] = &[
    Param { name: "turn", kind: ParamKind::Whole(0, LARGEST), about: "the page on which this turn begins" },
    Param {
        name: "request",
        kind: ParamKind::Whole(0, LARGEST),
        about: "the page with the answer to this request",
    },
];

/// Messages of a page.
const USUAL: usize = 100;

/// Maximum bytes of a text that is shown whole.
pub(super) const WHOLE: usize = 8_000;

/// What a page of a conversation is made of.
pub(super) struct ConversationPage<'a> {
    pub(super) address: &'a str,
    pub(super) log: &'a SessionLog,
    pub(super) points: &'a [RequestPoint],
    pub(super) turns: &'a [TurnRow],
    pub(super) compactions: &'a [CompactionRow],
    /// What of the log is lost.
    pub(super) lost: &'a [Unreadable],
    /// The window of the next request; `None`: it is not known.
    pub(super) next: Option<WindowFigures>,
    /// The records of the pages by those of the log, where they have other numbers.
    pub(super) places: HashMap<Seq, Seq>,
}

impl ConversationPage<'_> {
    /// The page that the parameters name.
    pub(super) fn show(&self, params: &Params) -> Result<Markup, Failure> {
        let conversation = Conversation::of(self.log, self.lost, self.points);
        let items = &conversation.items;
        let page = Page::read_of(params, USUAL)?;
        let turn = params.number("turn")?;
        let place_of_turn = |turn: u64| items.iter().position(|item| item.turn >= turn);
        let request = params.number("request")?.map(|number| number as u64);
        let is_asked = |item: &SaidItem<'_>| match &item.kind {
            SaidKind::Answer(_, Some(point)) => Some(point.request) == request,
            _ => false,
        };
        let place = match (turn, request) {
            (Some(turn), _) => place_of_turn(turn as u64),
            (None, Some(_)) => items.iter().position(is_asked),
            _ => None,
        };
        let page = place.map_or(page, |place| page.at(place)).within(items.len());
        let shown = page.of(items);
        let before = page.offset().checked_sub(1).and_then(|place| items.get(place)).map(|item| item.turn);
        // What was asked for is read first, else the top of the page.
        let asked = place.and_then(|place| items.get(place));
        let here = asked.or_else(|| shown.first()).map(|item| item.turn);
        Ok(html! {
            div.talk-page {
                nav.turns aria-label="Turns" { (turn_list(self.address, self.turns, here)) }
                div.talk {
                    @if items.is_empty() { p.empty { "Nothing was said yet." } }
                    (turner(page, items.len(), &format!("{}/conversation", self.address)))
                    @for (number, item) in shown.iter().enumerate() {
                        @let earlier = if number == 0 { before } else { number.checked_sub(1).and_then(|number| shown.get(number)).map(|item| item.turn) };
                        @if earlier != Some(item.turn) { (self.turn_head(item.turn)) }
                        (self.item(&conversation, item))
                    }
                    (turner(page, items.len(), &format!("{}/conversation", self.address)))
                }
                section.sees aria-label="What the model sees now" { (legend(&conversation, self.points.last(), self.next.as_ref())) }
            }
        })
    }

    /// The number of a record in the pages.
    fn place(&self, record: Seq) -> Seq {
        self.places.get(&record).copied().unwrap_or(record)
    }

    /// The line with which a turn begins.
    fn turn_head(&self, turn: u64) -> Markup {
        let row = self.turns.iter().find(|row| row.turn == turn);
        html! {
            h3.turn-head id={ "turn-" (turn) } {
                "Turn " (turn)
                @if let Some(row) = row { span.sub {
                    @if let Some(took) = row.took_ms { " · " (duration(took)) }
                    @if let Some(idle) = row.idle_ms { " · " (duration(idle)) " idle" }
                    @if row.requests > 0 { " · " (counted(row.requests, "request")) }
                    @if row.dollars != Dollars::Unknown { " · " (cost(row.dollars)) }
                } }
            }
        }
    }

    fn item(&self, conversation: &Conversation<'_>, item: &SaidItem<'_>) -> Markup {
        match item.kind {
            SaidKind::Compaction(number) => return self.compaction(number),
            SaidKind::Lost(lost) => return html! { p.problem id={ "record-" (item.record) } { (lost) } },
            _ => {}
        }
        let id = match &item.kind {
            SaidKind::Answer(_, Some(point)) => format!("request-{}", point.request),
            _ => format!("record-{}", item.record),
        };
        html! {
            article.said.(item.sight.class()) id=(id) data-row="" {
                div.rail title=(item.sight.about()) {}
                div.words {
                    p.hidden { (item.sight.about()) }
                    @match &item.kind {
                        SaidKind::User(message) => { (self.user(item, message)) },
                        SaidKind::Note(message) => { (self.note(item, message)) },
                        SaidKind::Answer(message, point) => { (self.answer(conversation, item, message, *point)) },
                        SaidKind::Compaction(_) | SaidKind::Lost(_) => {},
                    }
                }
            }
        }
    }

    fn user(&self, item: &SaidItem<'_>, message: &Message) -> Markup {
        html! { @for block in &message.content { @match block {
            ContentBlock::Text { text } if is_folded_note(text) => { (self.folded("note of the agent", text, item)) },
            ContentBlock::Text { text } => {
                div.user {
                    (self.text(text, item))
                    @if item.sight == Sight::Pinned { span.pill.warn { "pinned" } }
                }
            },
            ContentBlock::Image(_) => { p.sub { "(a picture)" } },
            _ => {},
        } } }
    }

    fn note(&self, item: &SaidItem<'_>, message: &Message) -> Markup {
        html! { @for text in message.texts() { (self.folded("note", text, item)) } }
    }

    fn folded(&self, name: &str, text: &str, item: &SaidItem<'_>) -> Markup {
        html! {
            details.folded {
                summary { (name) " " span.sub { (bytes(text.len() as u64)) } }
                div.user.note { (self.text(text, item)) }
            }
        }
    }

    /// A text of the user, whole unless it is very long.
    fn text(&self, text: &str, item: &SaidItem<'_>) -> Markup {
        self.whole(text, item, spoken)
    }

    /// A text of the model, whole unless it is very long.
    fn markdown(&self, text: &str, item: &SaidItem<'_>) -> Markup {
        self.whole(text, item, markdown)
    }

    fn whole(&self, text: &str, item: &SaidItem<'_>, shown: fn(&str) -> Markup) -> Markup {
        html! {
            (shown(cut_end(text, WHOLE)))
            @if text.len() > WHOLE { p { a href={ (self.address) "/records/" (self.place(item.record)) } { "all " (bytes(text.len() as u64)) } } }
        }
    }

    fn answer(
        &self,
        conversation: &Conversation<'_>,
        item: &SaidItem<'_>,
        message: &Message,
        point: Option<&RequestPoint>,
    ) -> Markup {
        let has_calls = message.tool_calls().next().is_some();
        html! {
            @for block in &message.content { @match block {
                ContentBlock::Thinking(thinking) if !thinking.text.trim().is_empty() => {
                    details.folded.thinking {
                        summary { "thinking " span.sub { (bytes(thinking.text.len() as u64)) } }
                        (self.markdown(&thinking.text, item))
                    }
                },
                ContentBlock::Text { text } => { div.answer { (self.markdown(text, item)) } },
                _ => {},
            } }
            @if has_calls {
                div.calls { @for call in message.tool_calls() {
                    @match conversation.result(&call.id) {
                        Some(given) => { (call_card(self.address, call, GivenResult { record: self.place(given.record), ..given }, item)) },
                        None => { (unmatched(call)) },
                    }
                } }
            }
            @if let Some(point) = point {
                p.receipt {
                    a href={ (self.address) "/requests/" (point.request) } { "request " (point.request) }
                    @if let Some(took) = point.took_ms { span { (duration(took)) } }
                    span { (figure(point.usage.prompt())) " tokens in" }
                    span { (estimated(point.usage.output, point.is_output_estimated)) " out" }
                    @if point.usage.prompt() > 0 { span { (super::text::percent(point.usage.cache_read, point.usage.prompt())) " cached" } }
                    @if point.dollars.is_some() { span { (money(point.dollars)) } }
                    @if let Some(cache) = point.lost_cache() { span.warn { "missed the cache: " (lost(&cache)) } }
                    @if item.at.0 > 0 { span.sub { (time(item.at)) } }
                }
            }
        }
    }

    /// The card of a compaction.
    fn compaction(&self, number: u64) -> Markup {
        let Some(row) = self.compactions.iter().find(|row| row.number == number) else { return html! {} };
        let whole = self.points.iter().map(|point| point.window.effective_window()).max().unwrap_or(1);
        let whole = whole.max(row.before.unwrap_or(0));
        html! {
            article.said.cut id={ "compaction-" (number) } data-row="" {
                div.rail {}
                div.words { div.compaction-card {
                    p.line {
                        b.engine { "◆ Compacted" }
                        span.sub { (row.why) }
                        @if row.undone { span.pill.warn { "undone" } }
                        @if row.dollars.is_some() { b.far { (money(row.dollars)) } }
                    }
                    (before_after(row.before, row.after, whole))
                    p.sub { @for (place, note) in row.notes.iter().enumerate() { @if place > 0 { " · " } (note) } }
                    p.line { a.button href={ (self.address) "/compactions/" (number) } { "What left, and what was needed later" } }
                } }
            }
        }
    }
}
