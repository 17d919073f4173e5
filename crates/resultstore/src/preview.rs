//! The preview that the model sees instead of a stored result.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use throughline_conversation::ResultRef;
use throughline_text::{group_thousands, names};

use crate::cut::{HeadAndTail, closed};
use crate::error_lines::pick;
use crate::policy::{OffloadPolicy, PreviewFormat};

/// Characters that [`PreviewFormat::Seed`] shows.
const SEED_CHARS: usize = 200;

/// Room for the line of [`bounded`] that says what is missing.
const NOTE: usize = 200;

/// How a preview begins.
const BEGIN: &str = "[Tool result stored — ";

/// The reference that a preview names; `None` if the text is no preview of a stored result.
#[must_use]
pub fn preview_reference(text: &str) -> Option<ResultRef> {
    let (_, named) = text.strip_prefix(BEGIN)?.rsplit_once("ref_id=\"")?;
    let (name, _) = named.split_once('"')?;
    Some(ResultRef::from_text(name))
}

/// The preview of a content that is stored under `id`. `text` is the content as text.
pub(crate) fn preview(
    policy: &OffloadPolicy,
    tool: &str,
    id: &ResultRef,
    bytes: &[u8],
    text: &str,
) -> String {
    let size = group_thousands(bytes.len() as u64);
    let first = format!("{BEGIN}{size} bytes from \"{tool}\".\n");
    let last = format!("Use the \"read_result\" tool with ref_id=\"{id}\" to read specific portions.");
    let lossy = std::str::from_utf8(bytes).is_err();
    match policy.format {
        PreviewFormat::Seed => {
            let note = if lossy { " (not UTF-8, shown with replacement characters)" } else { "" };
            let start: String = text.chars().take(SEED_CHARS).collect();
            format!("{first}First 200 chars{note}: {start}...]\n{last}")
        }
        PreviewFormat::HeadTail => {
            let note =
                if lossy { "Not UTF-8: shown with replacement characters, stored exactly.\n" } else { "" };
            let cut = HeadAndTail::new(bytes, policy.head_bytes, policy.tail_bytes);
            let (head, tail) = (closed(cut.head()), closed(cut.tail()));
            let names = unseen_names(&cut, [&head, &tail], policy.name_bytes);
            format!("{first}{note}{head}{}{names}{tail}]\n{last}", middle(&cut, policy.error_lines))
        }
    }
}

/// Says what is left out between head and tail, and shows lines of it that look like errors.
fn middle(cut: &HeadAndTail<'_>, error_lines: usize) -> String {
    let (picked, found) = pick(cut.middle(), cut.middle_line(), error_lines);
    let mut out = format!("[… {} not shown from offset {}", missing(cut), cut.middle_at());
    match (picked.len(), found) {
        (0, _) => out.push_str("]\n"),
        (shown, found) if shown == found => out.push_str("; lines that look like errors:]\n"),
        (shown, found) => {
            let _ =
                writeln!(out, "; {shown} of {} lines that look like errors:]", group_thousands(found as u64));
        }
    }
    for line in picked {
        let _ = writeln!(out, "{}: {}", line.number, line.text);
    }
    if found > 0 && error_lines > 0 {
        out.push_str("[…]\n");
    }
    out
}

/// Head and tail of a message of the user within about `room` bytes, and where the rest is. The end of a message says most
/// often what is wanted, so it has as much room as the start.
pub(crate) fn message_preview(id: &ResultRef, text: &str, room: usize) -> String {
    let cut = HeadAndTail::new(text.as_bytes(), room / 2, room / 2);
    let (head, tail) = (closed(cut.head()), cut.tail());
    let (missing, size) = (missing(&cut), group_thousands(text.len() as u64));
    format!(
        "{head}[… {missing} of this message of {size} bytes are not shown from offset {}, because it is larger than the window. \
         Use the \"read_result\" tool with ref_id=\"{id}\" to read or search the whole message.]\n{tail}",
        cut.middle_at()
    )
}

/// A line with the names that only the middle has, those of most places first, within this many bytes.
fn unseen_names(cut: &HeadAndTail<'_>, seen: [&String; 2], bytes: usize) -> String {
    if bytes == 0 {
        return String::new();
    }
    let seen: HashSet<&str> = seen.into_iter().flat_map(|text| names(text)).collect();
    let middle = String::from_utf8_lossy(cut.middle());
    let mut places: HashMap<&str, (usize, usize)> = HashMap::new();
    for (at, name) in names(&middle).enumerate().filter(|(_, name)| !seen.contains(name)) {
        places.entry(name).or_insert((0, at)).0 += 1;
    }
    let mut found: Vec<_> = places.into_iter().collect();
    found.sort_unstable_by_key(|(_, (count, at))| (Reverse(*count), *at));
    let mut left = bytes;
    let fitting = found.into_iter().filter_map(|(name, _)| {
        left = left.checked_sub(name.len() + 2)?;
        Some(name)
    });
    match fitting.collect::<Vec<_>>() {
        list if list.is_empty() => String::new(),
        list => format!("[names in it: {}]\n", list.join(", ")),
    }
}

/// Head and tail in at most `limit` bytes, for a content that could not be stored. A content that fits is shown
/// whole. With a limit of less than a few hundred bytes only the note is left.
pub(crate) fn bounded(bytes: &[u8], text: String, limit: usize) -> String {
    if text.len() <= limit {
        return text;
    }
    // Two line ends may be added.
    let room = limit.saturating_sub(NOTE + 2);
    let cut = HeadAndTail::new(bytes, room - room / 3, room / 3);
    let note = "they could not be stored and are lost; to see them, call the tool again for a smaller part";
    format!("{}[… {} not shown: {note}]\n{}", closed(cut.head()), missing(&cut), cut.tail())
}

fn missing(cut: &HeadAndTail<'_>) -> String {
    let bytes = group_thousands(cut.middle().len() as u64);
    match cut.middle_lines() {
        1 => format!("{bytes} bytes, 1 line"),
        lines => format!("{bytes} bytes, {} lines", group_thousands(lines)),
    }
}

#[cfg(test)]
mod tests;
