//! The window over time as SVG: a stacked bar for each request, with compactions and idle gaps marked.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::text::{figure, percent, short_figure, span};
use crate::inspector::RequestPoint;

/// The drawing is as wide as the page: its units are stretched from side to side, and one is a pixel from top to bottom.
const WIDTH: f64 = 960.0;

/// The room for marks above the bars, and the height of the highest bar.
const HEAD: f64 = 16.0;
const HEIGHT: f64 = 200.0;

/// Maximum number of bars of a drawing. More requests are drawn as this many bars, each the fullest of its stretch.
const BARS: usize = 240;

/// A component of the window: its name, its class, and its tokens.
type Part = (&'static str, &'static str, u64);

/// The drawing of these requests. With `links`, a bar leads to the request's page.
pub(super) fn chart(points: &[RequestPoint], links: Option<&str>) -> Markup {
    let bars = thinned(points);
    let tops = bars.iter().map(|bar| bar.point.window.effective_window().max(bar.point.window.used.total()));
    let scale = Scale { top: tops.max().unwrap_or(1).max(1), step: WIDTH / bars.len().max(1) as f64 };
    let room = bars.last().map_or(scale.top, |bar| bar.point.window.effective_window());
    let each = points.len().div_ceil(BARS).max(1);
    html! {
        figure.timeline {
            div.plot {
                div.axis aria-hidden="true" { @for quarter in (0..=4_u64).rev() { span { (short_figure(scale.top * quarter / 4)) } } }
                svg.chart viewBox={ "0 0 " (WIDTH) " " (HEAD + HEIGHT) } preserveAspectRatio="none" role=[links.is_none().then_some("img")] aria-label="Tokens in the window by component, request by request" {
                    @for quarter in 0..=4_u64 {
                        @let y = at(scale.y(scale.top * quarter / 4));
                        line.grid x1="0" x2=(WIDTH) y1=(y) y2=(y) {}
                    }
                    @for (place, bar) in bars.iter().enumerate() {
                        @let x = place as f64 * scale.step;
                        @if let Some(links) = links {
                            a href={ (links) "/requests/" (bar.point.request) } tabindex="-1" aria-label={ "request " (bar.point.request) } { (stack(bar, x, &scale)) }
                        } @else { (stack(bar, x, &scale)) }
                    }
                    path.cache-line d=(cache_line(&bars, &scale)) {}
                    line.limit x1="0" x2=(WIDTH) y1=(at(scale.y(room))) y2=(at(scale.y(room))) {}
                    @for (place, bar) in bars.iter().enumerate() { (marks(bar, place as f64 * scale.step, &scale)) }
                }
            }
            div.feet aria-hidden="true" {
                span { "request " (points.first().map_or(0, |point| point.request)) }
                @if each > 1 { span { "each bar: the fullest of " (each) " requests" } }
                span { "request " (points.last().map_or(0, |point| point.request)) }
            }
            figcaption { "Tokens in the window; the effective window is " (figure(room)) " tokens." (legend()) }
        }
    }
}

/// From tokens and places to units of the drawing.
struct Scale {
    top: u64,
    step: f64,
}

impl Scale {
    fn y(&self, tokens: u64) -> f64 {
        HEAD + HEIGHT - tokens as f64 / self.top as f64 * HEIGHT
    }
}

/// A request of the drawing, with the marks of those that it takes in.
struct Bar<'p> {
    point: &'p RequestPoint,
    compacted: Option<u64>,
    idle_ms: Option<i64>,
}

fn thinned(points: &[RequestPoint]) -> Vec<Bar<'_>> {
    let each = points.len().div_ceil(BARS).max(1);
    let bar = |stretch: &'_ [RequestPoint]| -> Option<usize> {
        (0..stretch.len()).max_by_key(|at| stretch.get(*at).map(|point| point.window.used.total()))
    };
    let bars = points.chunks(each).filter_map(|stretch| {
        Some(Bar {
            point: stretch.get(bar(stretch)?)?,
            compacted: stretch.iter().filter_map(|point| point.compacted).max(),
            idle_ms: stretch.iter().filter_map(|point| point.idle_ms).max(),
        })
    });
    bars.collect()
}

/// A bar, and around it the whole height as the place to point at.
fn stack(bar: &Bar<'_>, x: f64, scale: &Scale) -> Markup {
    let point = bar.point;
    let width = (scale.step * 0.84).min(28.0);
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
                @for (name, _, tokens) in parts(point) { "\n" (name) ": " (figure(tokens)) }
                "\nread from the cache: " (figure(point.usage.cache_read))
                @if let Some(miss) = &point.miss { "\nmissed the cache: " (miss) }
                @if let Some(tokens) = bar.compacted { "\ncompaction: " (figure(tokens)) " tokens fewer" }
                @if let Some(idle) = bar.idle_ms { "\nidle for " (span(idle / 1_000)) " before it" }
            }
            rect.hit x=(at(x)) width=(at(scale.step)) y="0" height=(at(HEAD + HEIGHT)) {}
            @for (class, from, height) in rects {
                @if height > 0.0 { rect.(class) x=(at(left)) width=(at(width)) y=(at(from)) height=(at(height)) {} }
            }
        }
    }
}

/// What was read from the cache, as one line of steps.
fn cache_line(bars: &[Bar<'_>], scale: &Scale) -> String {
    let mut line = String::new();
    for (place, bar) in bars.iter().enumerate() {
        let (x, y) = (place as f64 * scale.step, scale.y(bar.point.usage.cache_read));
        let to = if place == 0 { "M0 " } else { "V" };
        // Writing to a string cannot fail.
        let _ = write!(line, "{to}{y:.1}H{:.1}", x + scale.step);
    }
    line
}

/// The marks of a compaction and of an idle gap. The ends of the first one's line make a dot that keeps its form.
fn marks(bar: &Bar<'_>, x: f64, scale: &Scale) -> Markup {
    html! {
        @if bar.idle_ms.is_some() { line.idle x1=(at(x)) x2=(at(x)) y1=(HEAD) y2=(HEAD + HEIGHT) {} }
        @if bar.compacted.is_some() { path.compaction d={ "M" (at(x + scale.step / 2.0)) " 7h.01" } {} }
    }
}

/// The components of a request in the order in which they are sent.
pub(super) fn parts(point: &RequestPoint) -> [Part; 4] {
    let used = point.window.used;
    [
        ("tools", "c-tools", used.tools),
        ("system prompt", "c-system", used.system),
        ("skills", "c-skills", used.skills),
        ("conversation", "c-talk", used.conversation),
    ]
}

/// A request as one bar lying down: its components, and below them what was read from the cache.
pub(super) fn strip(point: &RequestPoint) -> Markup {
    let whole = point.window.effective_window().max(point.window.used.total()).max(1) as f64;
    let wide = |tokens: u64| tokens as f64 / whole * 200.0;
    let mut before = 0;
    let rects = parts(point).map(|(_, class, tokens)| {
        let x = wide(before);
        before += tokens;
        (class, x, wide(tokens))
    });
    html! {
        svg.strip viewBox="0 0 200 14" preserveAspectRatio="none" aria-hidden="true" {
            rect.c-free width="200" height="9" {}
            @for (class, x, width) in rects { rect.(class) x=(at(x)) width=(at(width)) height="9" {} }
            rect.c-cached y="11" width=(at(wide(point.usage.cache_read))) height="2" {}
        }
    }
}

/// A length with one decimal.
fn at(length: f64) -> String {
    format!("{length:.1}")
}

/// The names of what is drawn.
pub(super) fn legend() -> Markup {
    let names = [
        ("c-tools", "tools"),
        ("c-system", "system prompt"),
        ("c-skills", "skills"),
        ("c-talk", "conversation"),
    ];
    html! {
        ul.legend {
            @for (class, name) in names { li { svg.key viewBox="0 0 10 10" aria-hidden="true" { rect.(class) width="10" height="10" {} } (name) } }
            li { svg.key viewBox="0 0 10 10" aria-hidden="true" { path.cache-line d="M0 6h10" {} } "read from the cache" }
            li { svg.key viewBox="0 0 10 10" aria-hidden="true" { path.compaction d="M5 5h.01" {} } "compaction" }
            li { svg.key viewBox="0 0 10 10" aria-hidden="true" { line.idle x1="5" x2="5" y1="0" y2="10" {} } "idle gap of 5 minutes or more" }
            li { svg.key viewBox="0 0 10 10" aria-hidden="true" { line.limit x1="0" x2="10" y1="5" y2="5" {} } "effective window" }
        }
    }
}
