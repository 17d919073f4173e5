//! The window request by request as SVG: what was read from the cache and what was paid in full, with compactions, lost caches and turns.

use maud::{Markup, html};

use super::text::{duration, estimated, figure, lost, money, percent, short_figure};
use crate::inspector::{LostCache, RequestPoint};

/// The size of the drawing, and what is left of, right of, above and below the bars.
const WIDTH: f64 = 1180.0;
const HEIGHT: f64 = 268.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 128.0;
const TOP: f64 = 34.0;
const FOOT: f64 = 26.0;

/// Maximum number of bars of a drawing. More requests are drawn as this many bars, each the fullest of its stretch.
const BARS: usize = 240;

/// Maximum width of a bar.
const WIDEST: f64 = 40.0;

/// Width of a letter of a label, about.
const LETTER: f64 = 6.4;

/// Maximum number of lost caches that are named.
const NAMED_LOSSES: usize = 4;

/// A component of the window: its name, its class, and its tokens.
type Part = (&'static str, &'static str, u64);

/// The drawing of these requests. With `links`, a bar leads to the request's page.
pub(super) fn chart(points: &[RequestPoint], links: Option<&str>) -> Markup {
    let bars = thinned(points);
    let scale = Scale::of(&bars);
    let room = bars.last().map_or(0, |bar| bar.point.window.effective_window());
    let each = points.len().div_ceil(BARS).max(1);
    let now = bars.last().map_or(0, |bar| bar.point.window.used.total());
    html! {
        figure.timeline {
            div.heading { h2 { "The window, request by request" } (legend()) }
            div.plot tabindex="0" role="group" aria-label="The drawing of the window" {
                svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role=[links.is_none().then_some("img")] aria-label="Tokens in the window, request by request" {
                    (bands(&bars, &scale))
                    @for tokens in scale.steps() {
                        line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(at(scale.y(tokens))) y2=(at(scale.y(tokens))) {}
                        text.tick x=(LEFT - 8.0) y=(at(scale.y(tokens) + 4.0)) text-anchor="end" { (short_figure(tokens)) }
                    }
                    @for (place, bar) in bars.iter().enumerate() {
                        @let x = scale.x(place);
                        @if let Some(links) = links {
                            a href={ (links) "/requests/" (bar.point.request) } tabindex="-1" aria-label={ "request " (bar.point.request) } { (stack(bar, x, &scale)) }
                        } @else { (stack(bar, x, &scale)) }
                    }
                    @if room > 0 && room <= scale.top {
                        @let y = scale.y(room);
                        line.limit x1=(LEFT) x2=(WIDTH - RIGHT) y1=(at(y)) y2=(at(y)) {}
                        text.limit-name x=(WIDTH - RIGHT + 8.0) y=(at(y + 4.0)) { "window " (short_figure(room)) }
                    }
                    (marks(&bars, &scale))
                    @let y = scale.y(now).min(HEIGHT - FOOT - 4.0);
                    @let y = if room <= scale.top && (scale.y(room) - y).abs() < 14.0 { y + 16.0 } else { y };
                    text.now x=(WIDTH - RIGHT + 8.0) y=(at(y + 4.0)) { "last " (short_figure(now)) " · " (percent(now, room).replace(' ', "")) }
                }
            }
            @if each > 1 { figcaption { "Each bar is the fullest of " (each) " requests." } }
            @if room > scale.top { figcaption { "The window has " (figure(room)) " tokens, which is above the drawing." } }
        }
    }
}

/// From tokens and places to units of the drawing.
struct Scale {
    top: u64,
    step: f64,
}

impl Scale {
    /// The whole window, unless the bars would lie on the floor.
    fn of(bars: &[Bar<'_>]) -> Self {
        let used = bars.iter().map(|bar| bar.point.window.used.total()).max().unwrap_or(0);
        let room = bars.iter().map(|bar| bar.point.window.effective_window()).max().unwrap_or(0);
        let top = if used.saturating_mul(3) < room { used + used / 8 } else { room.max(used) };
        let step = ((WIDTH - LEFT - RIGHT) / bars.len().max(1) as f64).min(WIDEST / 0.84);
        Self { top: top.max(1), step }
    }

    fn x(&self, place: usize) -> f64 {
        LEFT + place as f64 * self.step
    }

    fn y(&self, tokens: u64) -> f64 {
        let height = HEIGHT - TOP - FOOT;
        TOP + height - tokens as f64 / self.top as f64 * height
    }

    /// Round numbers of tokens for the lines of the grid, from 0.
    fn steps(&self) -> impl Iterator<Item = u64> {
        let rough = (self.top / 4).max(1);
        let power = 10_u64.pow(rough.ilog10());
        let step = [1, 2, 5, 10].into_iter().map(|factor| factor * power).find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        (0..=self.top / step).map(move |number| number * step)
    }
}

/// A request of the drawing, with the marks of those that it takes in.
struct Bar<'p> {
    point: &'p RequestPoint,
    compacted: Option<u64>,
    idle_ms: Option<i64>,
    /// The dearest cache miss.
    missed: Option<LostCache>,
}

fn thinned(points: &[RequestPoint]) -> Vec<Bar<'_>> {
    let each = points.len().div_ceil(BARS).max(1);
    let cost = |point: &RequestPoint| point.missed_dollars.unwrap_or_default();
    let bars = points.chunks(each).filter_map(|stretch| {
        let missed = stretch.iter().filter(|point| point.miss.is_some());
        Some(Bar {
            point: stretch.iter().max_by_key(|point| point.window.used.total())?,
            compacted: stretch.iter().filter_map(|point| point.compacted).max(),
            idle_ms: stretch.iter().filter_map(|point| point.idle_ms).max(),
            missed: missed
                .max_by(|one, other| cost(one).total_cmp(&cost(other)))
                .and_then(RequestPoint::lost_cache),
        })
    });
    bars.collect()
}

/// Every second turn on a ground of its own, with its number where there is room.
fn bands(bars: &[Bar<'_>], scale: &Scale) -> Markup {
    let mut turns: Vec<(u64, usize, usize)> = Vec::new();
    for (place, bar) in bars.iter().enumerate() {
        match turns.last_mut() {
            Some((turn, _, end)) if *turn == bar.point.turn => *end = place + 1,
            _ => turns.push((bar.point.turn, place, place + 1)),
        }
    }
    html! {
        text.tick x=(LEFT - 8.0) y=(HEIGHT - 8.0) text-anchor="end" { "turn" }
        @for (number, (turn, from, to)) in turns.iter().enumerate() {
        @let (left, wide) = (scale.x(*from), (to - from) as f64 * scale.step);
        @if number % 2 == 0 { rect.band x=(at(left)) width=(at(wide)) y=(TOP) height=(HEIGHT - TOP - FOOT) {} }
        @let name = turn.to_string();
        @if wide > name.len() as f64 * LETTER + 4.0 {
            text.tick x=(at(left + wide / 2.0)) y=(HEIGHT - 8.0) text-anchor="middle" { (name) }
        }
    } }
}

/// A bar, and around it the whole height as the place to point at.
fn stack(bar: &Bar<'_>, x: f64, scale: &Scale) -> Markup {
    let point = bar.point;
    let width = (scale.step * 0.84).min(WIDEST);
    let (left, mut below) = (x + (scale.step - width) / 2.0, 0);
    let rects = parts(point).map(|(_, class, tokens)| {
        let (from, to) = (scale.y(below + tokens), scale.y(below));
        below += tokens;
        (class, from, to - from)
    });
    let used = point.window.used.total();
    html! {
        g.bar {
            title {
                "request " (point.request) ", turn " (point.turn) ": " (figure(used)) " tokens, "
                (percent(used, point.window.effective_window())) " of the window"
                "\nread from the cache: " (figure(point.usage.cache_read))
                "\npaid in full: " (figure(point.usage.prompt().saturating_sub(point.usage.cache_read)))
                "\noutput: " (estimated(point.usage.output, point.is_output_estimated))
                @if point.dollars.is_some() { "\ncost: " (money(point.dollars)) }
                @if let Some(took) = point.took_ms { "\nanswered after " (duration(took)) }
                @if let Some(cache) = point.lost_cache() { "\nmissed the cache: " (lost(&cache)) }
                @if let Some(tokens) = bar.compacted { "\ncompaction: " (figure(tokens)) " tokens fewer" }
                @if let Some(idle) = bar.idle_ms { "\nidle for " (duration(idle)) " before it" }
            }
            rect.hit x=(at(x)) width=(at(scale.step)) y=(TOP) height=(HEIGHT - TOP - FOOT) {}
            @for (class, from, height) in rects {
                @if height > 0.0 { rect.(class) x=(at(left)) width=(at(width)) y=(at(from)) height=(at(height)) {} }
            }
        }
    }
}

/// Compactions as violet lines with what each took out, and lost caches with what the dearest cost.
fn marks(bars: &[Bar<'_>], scale: &Scale) -> Markup {
    let middle = |place: usize| scale.x(place) + scale.step / 2.0;
    let mut losses: Vec<(usize, &LostCache, u64)> = bars
        .iter()
        .enumerate()
        .filter_map(|(place, bar)| Some((place, bar.missed.as_ref()?, bar.point.usage.prompt())))
        .collect();
    losses.sort_by(|(_, one, prompt), (_, other, other_prompt)| {
        let dollars = |cache: &LostCache| cache.dollars.unwrap_or_default();
        dollars(other).total_cmp(&dollars(one)).then(other_prompt.cmp(prompt))
    });
    // A name does not cross the line of a compaction where there is room next to it.
    let compactions = bars.iter().enumerate().filter(|(_, bar)| bar.compacted.is_some());
    let mut taken: Vec<(f64, f64)> = compactions.map(|(place, _)| (scale.x(place), scale.x(place))).collect();
    let mut named = Vec::new();
    for (place, cache, _) in losses.iter().take(NAMED_LOSSES) {
        let text = lost(cache);
        let wide = text.chars().count() as f64 * LETTER;
        let is_free = |x: &f64| taken.iter().all(|(from, to)| *x > to + 8.0 || x + wide < from - 8.0);
        let end = (WIDTH - RIGHT - wide).max(LEFT);
        let places = [wide / 2.0, 0.0, wide].map(|before| (middle(*place) - before).clamp(LEFT, end));
        let has_no_name = |x: &f64| {
            let names = taken.iter().filter(|(from, to)| to > from);
            names.clone().all(|(from, to)| *x > to + 8.0 || x + wide < from - 8.0)
        };
        let place_of = places.iter().copied().find(is_free);
        if let Some(x) = place_of.or_else(|| places.into_iter().find(has_no_name)) {
            taken.push((x, x + wide));
            named.push((*place, x, text));
        }
    }
    let mut end = 0.0;
    let mut compacted = Vec::new();
    for (place, bar) in bars.iter().enumerate() {
        let Some(tokens) = bar.compacted else { continue };
        let (x, name) = (scale.x(place), format!("◆ −{}", short_figure(tokens)));
        let wide = name.chars().count() as f64 * LETTER;
        let from = (x - wide / 2.0).clamp(0.0, WIDTH - wide);
        let has_room = from > end;
        if has_room {
            end = from + wide + 6.0;
        }
        compacted.push((x, has_room.then_some((from, name))));
    }
    html! {
        @for (place, bar) in bars.iter().enumerate() {
            @if bar.idle_ms.is_some() { line.idle x1=(at(scale.x(place))) x2=(at(scale.x(place))) y1=(TOP) y2=(HEIGHT - FOOT) {} }
            @if bar.missed.is_some() { path.lost d={ "M" (at(middle(place) - 3.0)) " " (TOP - 6.0) "h6l-3 5z" } {} }
        }
        @for (x, name) in compacted {
            path.compaction d={ "M" (at(x)) " 16V" (HEIGHT - FOOT) } {}
            @if let Some((from, name)) = name { text.compaction-name x=(at(from)) y="12" { (name) } }
        }
        @for (place, x, text) in named {
            line.lost-line x1=(at(middle(place))) x2=(at(middle(place))) y1=(TOP - 1.0) y2=(TOP + 6.0) {}
            text.lost-name x=(at(x)) y=(TOP - 9.0) { (text) }
        }
    }
}

/// The parts of a request from the bottom of its bar: what no compaction shrinks, what was read from the cache, and what was paid.
pub(super) fn parts(point: &RequestPoint) -> [Part; 3] {
    let used = point.window.used;
    let (whole, prompt) = (used.total(), point.usage.prompt().max(1));
    // What was read comes first in a request; the window and the report may differ by what an estimate is off.
    let read = (point.usage.cache_read as f64 / prompt as f64 * whole as f64) as u64;
    let fixed = used.fixed().min(whole);
    let cached = read.min(whole).saturating_sub(fixed);
    [
        ("tools and system prompt", "c-fixed", fixed),
        ("from the cache", "c-cached", cached),
        ("paid in full", "c-paid", whole - fixed - cached),
    ]
}

/// A length with one decimal.
pub(super) fn at(length: f64) -> String {
    format!("{length:.1}")
}

/// The names of what is drawn.
pub(super) fn legend() -> Markup {
    let names =
        [("c-paid", "paid in full"), ("c-cached", "from the cache"), ("c-fixed", "tools and system prompt")];
    html! {
        ul.legend {
            @for (class, name) in names { li { svg.key viewBox="0 0 10 10" aria-hidden="true" { rect.(class) width="10" height="10" rx="2" {} } (name) } }
            li { svg.key viewBox="0 0 10 10" aria-hidden="true" { path.c-engine d="M5 0 10 5 5 10 0 5z" {} } "compaction" }
            li { svg.key viewBox="0 0 10 10" aria-hidden="true" { path.lost d="M0 2h10l-5 7z" {} } "cache lost" }
        }
    }
}
