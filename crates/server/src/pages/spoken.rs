//! The text of a message: paragraphs with their line breaks, and what is marked as code.

use maud::{Markup, html};

/// What code blocks begin and end with.
const FENCE: &str = "```";

/// The text. Nothing of it is read as markup but code.
pub(super) fn spoken(text: &str) -> Markup {
    let mut parts: Vec<(bool, String)> = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with(FENCE) {
            in_code = !in_code;
            parts.push((in_code, String::new()));
            continue;
        }
        match parts.last_mut() {
            Some((is_code, part)) if *is_code == in_code => {
                if !part.is_empty() {
                    part.push('\n');
                }
                part.push_str(line);
            }
            _ => parts.push((in_code, line.to_owned())),
        }
    }
    html! { @for (is_code, part) in &parts {
        @if part.trim().is_empty() {} @else if *is_code { pre.code tabindex="0" { (part) } } @else {
            @for (is_heading, lines) in headings(part.trim_matches('\n')) {
                @if is_heading { p.prose.strong dir="auto" { (lines) } } @else if !lines.trim().is_empty() { (prose(lines.trim_matches('\n'))) }
            }
        }
    } }
}

/// The parts of a text between its headings, and the headings.
fn headings(text: &str) -> Vec<(bool, &str)> {
    let is_heading = |line: &str| {
        let rest = line.trim_start_matches('#');
        (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with(' ')
    };
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        if is_heading(line) {
            parts.push((false, text.get(from..at).unwrap_or_default()));
            parts.push((true, line.trim()));
            from = at + line.len();
        }
        at += line.len();
    }
    parts.push((false, text.get(from..).unwrap_or_default()));
    parts
}

/// Prose, with what is between two backticks of one line as code.
fn prose(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split('`').collect();
    // An odd backtick marks nothing.
    let pairs = pieces.len() % 2 == 1;
    html! {
        p.prose dir="auto" { @for (place, piece) in pieces.iter().enumerate() {
            @if pairs && place % 2 == 1 && !piece.is_empty() && !piece.contains('\n') { code { (piece) } }
            @else if pairs && place % 2 == 1 { "`" (piece) "`" }
            @else if place > 0 && !pairs { "`" (piece) }
            @else { (piece) }
        } }
    }
}

#[cfg(test)]
mod tests;
