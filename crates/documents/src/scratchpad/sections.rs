//! Sections of a document: a heading, and what stands under it up to the next one of its level or above.

use super::ScratchpadError;
use crate::markdown::{heading, lines};

/// A section, by bytes of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Section {
    /// Where its heading begins.
    start: usize,
    /// Where its heading's line ends.
    body: usize,
    /// Where it ends.
    end: usize,
    level: usize,
}

impl Section {
    pub(super) fn body(self, text: &str) -> &str {
        text.get(self.body..self.end).unwrap_or_default().trim()
    }
}

/// The first section of this name.
pub(super) fn find(text: &str, name: &str) -> Option<Section> {
    let name = plain(name);
    let mut found: Option<Section> = None;
    for line in lines(text, "").filter(|line| !line.fenced) {
        let Some((level, title)) = heading(line.text) else { continue };
        match &mut found {
            Some(section) if level <= section.level => {
                section.end = line.start;
                return found;
            }
            Some(_) => {}
            None if plain(title) == name => {
                let body = line.start + line.text.len();
                found = Some(Section { start: line.start, body, end: text.len(), level });
            }
            None => {}
        }
    }
    found
}

/// The text with another body in a section; see [`super::Scratchpad::set_section`].
pub(super) fn set(text: &str, name: &str, body: &str) -> Result<String, ScratchpadError> {
    let title = name.trim().trim_start_matches('#').trim();
    if title.is_empty() || title.contains('\n') {
        return Err(ScratchpadError::Input("\"heading\" must be one line with text".to_owned()));
    }
    let section = find(text, name);
    if section.is_none() && ends_in_code(text) {
        // A new heading would be code too, and never be found again.
        let why =
            "the scratchpad has a code fence that is never closed; write it again with the action update";
        return Err(ScratchpadError::Input(why.to_owned()));
    }
    let body = without_heading(body, name);
    let (before, after, heading) = match section {
        Some(section) => {
            let heading = text.get(section.start..section.body).unwrap_or_default().trim_end();
            (text.get(..section.start), text.get(section.end..), heading.to_owned())
        }
        None => (Some(text), None, new_heading(name, title)),
    };
    let section = if body.is_empty() { String::new() } else { format!("{heading}\n{body}") };
    let parts = [before.unwrap_or_default(), &section, after.unwrap_or_default()];
    let parts = parts.map(str::trim).into_iter().filter(|part| !part.is_empty());
    Ok(parts.collect::<Vec<_>>().join("\n\n"))
}

fn ends_in_code(text: &str) -> bool {
    let mut lines = lines(text, "");
    lines.by_ref().for_each(drop);
    lines.open().is_some()
}

/// A model often writes the heading once more in front of the body.
fn without_heading<'t>(body: &'t str, name: &str) -> &'t str {
    let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
    let again = heading(first).is_some_and(|(_, title)| plain(title) == plain(name));
    if again { rest.trim() } else { body }
}

/// A heading keeps the level that it was given; without one it is a section of the second level.
fn new_heading(name: &str, title: &str) -> String {
    match heading(name.trim()) {
        Some((level, title)) => format!("{} {title}", "#".repeat(level)),
        None => format!("## {title}"),
    }
}

fn plain(name: &str) -> String {
    let bare = name.trim().trim_start_matches('#').trim();
    bare.trim_matches(['*', '_', ':']).trim().to_lowercase()
}
