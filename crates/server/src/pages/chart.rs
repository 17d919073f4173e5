//! The window over time as SVG: a stacked bar for each request, with compactions and idle gaps marked.

use maud::{Markup, html};
use throughline::RequestPoint;

use super::text::{figure, percent, span};

/// Width and height of the drawing, and the room for the scale at its left and below.
const SIZE: (f64, f64) = (960.0, 260.0);
const LEFT: f64 = 64.0;
const FOOT: f64 = 24.0;

/// Most bars of a drawing. More requests are drawn as so many bars, each the fullest of its stretch.
const BARS: usize = 240;

/// A component of the window: its name, its class, and its tokens.
type Part = (&'static str, &'static str, u64);

/// The drawing of these requests. With `links`, a bar leads to the request's page.
pub(super) fn chart(points: &[RequestPoint], links: Option<&str>) -> Markup {
    let bars = thinned(points);
    let top =
        bars.iter().map(|bar| bar.point.window.effective_window().max(bar.point.window.used.total())).max();
    let top = top.unwrap_or(1).max(1);
    let (width, height) = (SIZE.0 - LEFT, SIZE.1 - FOOT - 14.0);
    let step = width / bars.len().max(1) as f64;
    let y = |tokens: u64| 14.0 + height - tokens as f64 / top as f64 * height;
    let room = bars.last().map_or(top, |bar| bar.point.window.effective_window());
    html! {
        svg.chart viewBox={ "0 0 " (SIZE.0) " " (SIZE.1) } role="img" aria-label="The window by component, request by request" {
            @for quarter in 0..=4_u64 {
                @let tokens = top * quarter / 4;
                line.grid x1=(LEFT) x2=(SIZE.0) y1=(at(y(tokens))) y2=(at(y(tokens))) {}
                text.scale x=(LEFT - 8.0) y=(at(y(tokens) + 4.0)) text-anchor="end" { (figure(tokens)) }
            }
            line.limit x1=(LEFT) x2=(SIZE.0) y1=(at(y(room))) y2=(at(y(room))) { title { "effective window: " (figure(room)) " tokens" } }
            @for (place, bar) in bars.iter().enumerate() {
                @let x = LEFT + place as f64 * step;
                @if let Some(idle) = bar.idle_ms {
                    line.idle x1=(at(x)) x2=(at(x)) y1="14" y2=(at(14.0 + height)) { title { "idle for " (span(idle / 1_000)) } }
                }
                @if let Some(links) = links {
                    a href={ (links) "/requests/" (bar.point.request) } { (stack(bar, x, step, &y)) }
                } @else { (stack(bar, x, step, &y)) }
                @if let Some(tokens) = bar.compacted {
                    path.compaction d={ "M" (at(x + step / 2.0)) " 12 l-5 -9 h10 z" } { title { "compaction before request " (bar.point.request) ": " (figure(tokens)) " tokens fewer" } }
                }
            }
            @if let (Some(first), Some(last)) = (bars.first(), bars.last()) {
                text.scale x=(LEFT) y=(SIZE.1 - 6.0) { "request " (first.point.request) }
                text.scale x=(SIZE.0) y=(SIZE.1 - 6.0) text-anchor="end" { "request " (last.point.request) }
            }
        }
        (legend())
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

fn stack(bar: &Bar<'_>, x: f64, step: f64, y: &dyn Fn(u64) -> f64) -> Markup {
    let point = bar.point;
    let width = (step * 0.82).clamp(1.0, 28.0);
    let x = x + (step - width) / 2.0;
    let mut below = 0;
    let rects = parts(point).map(|(_, class, tokens)| {
        let (from, to) = (y(below + tokens), y(below));
        below += tokens;
        (class, from, to - from)
    });
    let used = point.window.used.total();
    let read = y(point.usage.cache_read);
    html! {
        g.bar {
            title {
                "request " (point.request) ", turn " (point.turn) ": " (figure(used)) " tokens, "
                (percent(used, point.window.effective_window())) " of the window"
                @for (name, _, tokens) in parts(point) { "\n" (name) ": " (figure(tokens)) }
                "\nread from the cache: " (figure(point.usage.cache_read))
                @if let Some(miss) = &point.miss { "\nmissed the cache: " (miss) }
            }
            rect.c-cached x=(at(x - width * 0.12)) width=(at(width * 0.12)) y=(at(read)) height=(at(y(0) - read)) {}
            @for (class, from, height) in rects {
                @if height > 0.0 { rect.(class) x=(at(x)) width=(at(width)) y=(at(from)) height=(at(height)) {} }
            }
        }
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
            rect.c-cached y="10" width=(at(wide(point.usage.cache_read))) height="3" {}
        }
    }
}

/// A length with one decimal.
fn at(length: f64) -> String {
    format!("{length:.1}")
}

fn legend() -> Markup {
    let names = [
        ("c-tools", "tools"),
        ("c-system", "system prompt"),
        ("c-skills", "skills"),
        ("c-talk", "conversation"),
        ("c-cached", "read from the cache"),
    ];
    html! {
        ul.legend {
            @for (class, name) in names { li { svg.key viewBox="0 0 10 10" aria-hidden="true" { rect.(class) width="10" height="10" {} } (name) } }
            li { svg.key viewBox="0 0 10 10" aria-hidden="true" { path.compaction d="M5 10 l-5 -9 h10 z" {} } "compaction" }
            li { svg.key viewBox="0 0 10 10" aria-hidden="true" { line.idle x1="5" x2="5" y1="0" y2="10" {} } "idle gap" }
            li { svg.key viewBox="0 0 10 10" aria-hidden="true" { line.limit x1="0" x2="10" y1="5" y2="5" {} } "effective window" }
        }
    }
}
