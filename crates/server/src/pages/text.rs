//! Figures and texts of pages.

use maud::{Markup, html};
use serde_json::Value;
use throughline_completion::Dollars;
use throughline_conversation::Millis;
use throughline_stored::now;
use throughline_text::{cut_end, group_thousands};

pub(super) use throughline_text::counted;

use crate::inspector::{LostCache, SessionFigures};

/// Maximum bytes of a text that a page shows whole.
const SHOWN: usize = 20_000;

/// A field of an object; null if it has none.
pub(super) fn field<'v>(of: &'v Value, name: &str) -> &'v Value {
    of.get(name).unwrap_or(&Value::Null)
}

/// A number with its thousands apart.
pub(super) fn figure(number: u64) -> String {
    group_thousands(number)
}

/// A share in per cent.
pub(super) fn percent(part: u64, whole: u64) -> String {
    format!("{:.0} %", part as f64 * 100.0 / whole.max(1) as f64)
}

/// A time in UTC, to the second.
pub(super) fn time(at: Millis) -> String {
    let text = at.rfc3339();
    text.get(..19).map_or_else(|| text.clone(), |start| start.replace('T', " "))
}

/// How long ago something was, with the time itself where it is pointed at; a dash without one.
pub(super) fn when(at: Millis) -> Markup {
    html! {
        @if at.0 > 0 { time datetime=(at.rfc3339()) title={ (time(at)) " UTC" } { (ago(at)) } } @else { "–" }
    }
}

/// A number of milliseconds in one or two units: `0.2s`, `42s`, `3m 10s`, `1h 10m`.
pub(super) fn duration(ms: i64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        ..10 => format!("{}.{}s", seconds, ms % 1_000 / 100),
        10..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m {}s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{}h {}m", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{}d {}h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

/// A price in as many digits as matter; a dash where it is not known.
pub(super) fn money(dollars: Option<f64>) -> String {
    match dollars {
        None => "–".to_owned(),
        Some(0.0) => "$0".to_owned(),
        Some(dollars) if dollars < 0.000_1 => "< $0.0001".to_owned(),
        Some(dollars) if dollars < 0.01 => format!("${dollars:.4}"),
        Some(dollars) => {
            let text = format!("{dollars:.2}");
            let (whole, cents) = text.split_once('.').unwrap_or((&text, "00"));
            format!("${}.{cents}", whole.parse().map_or_else(|_| whole.to_owned(), group_thousands))
        }
    }
}

/// A sum of prices; a lower bound has a sign for it.
pub(super) fn cost(dollars: Dollars) -> String {
    match dollars {
        Dollars::Exact(dollars) => money(Some(dollars)),
        Dollars::AtLeast(dollars) => format!("≥ {}", money(Some(dollars))),
        Dollars::Unknown => money(None),
    }
}

/// A figure that is an estimate has a sign for it.
pub(super) fn estimated(number: u64, is_estimate: bool) -> String {
    let sign = if is_estimate { "≈ " } else { "" };
    format!("{sign}{}", figure(number))
}

/// Why a cache was lost and what that cost: the same words wherever it is shown.
pub(super) fn lost(cache: &LostCache) -> String {
    let mut text = cache.cause.clone();
    if let Some(idle) = cache.idle_ms {
        text.push_str(&format!(" ({} idle)", duration(idle)));
    }
    if cache.dollars.is_some() {
        text.push_str(&format!(", {}", money(cache.dollars)));
    }
    text
}

/// A number of bytes in a few characters.
pub(super) fn bytes(bytes: u64) -> String {
    match bytes {
        ..1_000 => counted(bytes, "byte"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// How long ago something was.
pub(super) fn ago(at: Millis) -> String {
    let seconds = now().0.saturating_sub(at.0).max(0) / 1_000;
    format!("{} ago", span(seconds))
}

/// A number of seconds in the largest unit.
pub(super) fn span(seconds: i64) -> String {
    match seconds {
        ..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// A number of tokens in a few characters, for a scale.
pub(super) fn short_figure(number: u64) -> String {
    let (unit, sign) = match number {
        ..1_000 => return number.to_string(),
        1_000..1_000_000 => (1_000.0, "k"),
        _ => (1_000_000.0, "M"),
    };
    let text = format!("{:.1}", number as f64 / unit);
    format!("{}{sign}", text.strip_suffix(".0").unwrap_or(&text))
}

/// A price; a dash where it is not known.
pub(super) fn dollars(dollars: Option<f64>) -> String {
    match dollars {
        None => "–".to_owned(),
        // Less would be written as nothing.
        Some(dollars) if dollars > 0.0 && dollars < 0.000_1 => "< $0.0001".to_owned(),
        Some(dollars) => throughline_connect::dollars_text(dollars),
    }
}

/// A text as a page shows it: cut if it is very long.
pub(super) fn shown(text: &str) -> String {
    shown_start(text, SHOWN)
}

/// The start of a text, in at most this many bytes.
pub(super) fn shown_start(text: &str, most: usize) -> String {
    let cut = cut_end(text, most);
    match text.len() - cut.len() {
        0 => cut.to_owned(),
        rest => format!("{cut}\n… {} more bytes; the export has them", group_thousands(rest as u64)),
    }
}

/// Why a sum of dollars is a lower bound or not known. Nothing where it is exact.
pub(super) fn incomplete(figures: &SessionFigures) -> Markup {
    let (unpriced, unreported) = (figures.unpriced, figures.unreported);
    html! {
        @if unpriced > 0 {
            (counted(unpriced, "request")) " without a price"
            @if !figures.unpriced_models.is_empty() {
                " (" @for (place, model) in figures.unpriced_models.iter().enumerate() { @if place > 0 { ", " } code { (model) } } ")"
            }
            ": " code { "models.toml" } " can name it"
        }
        @if unreported > 0 { @if unpriced > 0 { " · " } (counted(unreported, "request")) " without a report of what it used" }
    }
}
