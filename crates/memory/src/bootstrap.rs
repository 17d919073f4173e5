//! Memory files as sections of the system prompt.

use throughline_text::{first_lines, group_thousands, last_lines, sanitized};

use crate::files::{FilesError, MemoryFile, MemoryFiles};

/// Maximum characters of one file in the prompt.
const FILE_CHARS: usize = 20_000;

/// Maximum characters of all files in the prompt.
const ALL_CHARS: usize = 150_000;

/// Percent of the room for the beginning of a truncated file. The room left between beginning and end is
/// for the line that reports the omission.
const HEAD_PERCENT: usize = 70;

/// Percent of the room for its end.
const TAIL_PERCENT: usize = 20;

/// With less room than this, a file is named but not shown.
const LEAST_CHARS: usize = 1_000;

/// Characters reserved for the section that names files without room.
const NAMES_CHARS: usize = 2_000;

/// A section of the system prompt: plain text under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemorySection {
    /// A name for people.
    pub name: String,
    /// The text for the model.
    pub text: String,
}

/// Reads the memory files as sections: up to 20,000 characters of each file, and 150,000 of all.
///
/// The sections change when a file does. The caller decides how often to read them: a changed section invalidates the
/// provider's cache of everything after it.
///
/// # Errors
/// [`FilesError`] when they cannot be read.
pub async fn memory_sections(files: &dyn MemoryFiles) -> Result<Vec<MemorySection>, FilesError> {
    let mut texts = Vec::new();
    for file in files.list().await? {
        if let Some(text) = files.read(&file).await? {
            texts.push((file, text));
        }
    }
    Ok(bootstrap(&texts))
}

/// Memory files as sections, in the order given: up to [`FILE_CHARS`] characters each and [`ALL_CHARS`] in all. Of a
/// longer one the beginning and the end are shown, and a line between them says how much is left out and that
/// `memory_search` finds it. Files that there is no room for are named in a last section.
#[must_use]
fn bootstrap(files: &[(MemoryFile, String)]) -> Vec<MemorySection> {
    let mut sections = Vec::new();
    let mut left_out = Vec::new();
    let mut room = ALL_CHARS - NAMES_CHARS;
    for (file, text) in files {
        let text = sanitized(text);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let title = format!("# Memory: {}\n\n", one_line(&file.name));
        let most = FILE_CHARS.min(room).saturating_sub(title.chars().count());
        if text.chars().count() > most && most < LEAST_CHARS {
            left_out.push(one_line(&file.name));
            continue;
        }
        let text = format!("{title}{}", within(text, most));
        room = room.saturating_sub(text.chars().count());
        sections.push(MemorySection { name: file.name.clone(), text });
    }
    sections.extend(names(&left_out));
    sections
}

/// Truncates the text to this many characters.
fn within(text: &str, most: usize) -> String {
    let all = text.chars().count();
    if all <= most {
        return text.to_owned();
    }
    let head = first_lines(text, most * HEAD_PERCENT / 100);
    let head = head.strip_suffix('\n').unwrap_or(head);
    let tail = last_lines(text, most * TAIL_PERCENT / 100);
    let missing = all - head.chars().count() - tail.chars().count();
    let missing = group_thousands(missing as u64);
    format!(
        "{head}\n\n[{missing} characters are left out here; memory_search finds what they say.]\n\n{tail}"
    )
}

fn names(left_out: &[String]) -> Option<MemorySection> {
    if left_out.is_empty() {
        return None;
    }
    let mut text = String::from(
        "# More memory files\n\nThere is no room for these; memory_search finds what they say.\n",
    );
    let mut used = text.chars().count();
    for (index, name) in left_out.iter().enumerate() {
        let line = format!("- {name}\n");
        used += line.chars().count();
        if used + 40 > NAMES_CHARS {
            text.push_str(&format!("- and {} more\n", left_out.len() - index));
            break;
        }
        text.push_str(&line);
    }
    Some(MemorySection { name: "memory files without room".to_owned(), text: text.trim_end().to_owned() })
}

/// A name cannot break out of its line, and takes little room.
fn one_line(name: &str) -> String {
    sanitized(name).replace(['\n', '\t'], " ").chars().take(200).collect()
}

#[cfg(test)]
mod tests;
