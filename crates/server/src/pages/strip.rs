//! A bar lying down: a request, or the parts of a whole.

use maud::{Markup, html};

use super::chart::{at, parts};
use crate::inspector::RequestPoint;

/// A request as one bar lying down.
pub(super) fn strip(point: &RequestPoint) -> Markup {
    let whole = point.window.effective_window().max(point.window.used.total());
    let parts = parts(point).map(|(_, class, tokens)| (class, tokens));
    line_of(&parts, whole)
}

/// Parts of a whole as one bar lying down.
pub(super) fn line_of(parts: &[(&str, u64)], whole: u64) -> Markup {
    let wide = |tokens: u64| tokens as f64 / whole.max(1) as f64 * 200.0;
    let mut before = 0;
    let rects: Vec<(&str, f64, f64)> = parts
        .iter()
        .map(|(class, tokens)| {
            let x = wide(before);
            before += tokens;
            (*class, x, wide(*tokens))
        })
        .collect();
    html! {
        svg.strip viewBox="0 0 200 8" preserveAspectRatio="none" aria-hidden="true" {
            rect.c-free width="200" height="8" {}
            @for (class, x, width) in rects { @if width > 0.0 { rect.(class) x=(at(x)) width=(at(width)) height="8" {} } }
        }
    }
}
