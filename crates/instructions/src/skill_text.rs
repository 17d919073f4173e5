//! Renders skills for the model: the list of all, and the text of one.

use std::path::{Path, PathBuf};

use throughline_text::first_chars;

use crate::cut::within;
use crate::skills::{SKILL_FILE, Skill, Skills, front_of};

/// Characters of each description, when all of them have no room; the first that fits is taken.
const SHORTER: [usize; 4] = [300, 150, 60, 0];

/// Files of a skill's folder that are named.
const MOST_FILES: usize = 40;

/// Maximum depth of a skill's folder.
const MOST_DEPTH: usize = 3;

/// The list of all skills within that many characters; `None` without skills.
pub(crate) fn list(skills: &Skills, most: usize) -> String {
    if skills.is_empty() {
        return String::new();
    }
    let intro = include_str!("skill_list.md");
    let room = most.saturating_sub(intro.chars().count() + 1);
    let whole = |chars: usize| -> String { skills.iter().map(|skill| line(skill, chars)).collect() };
    let widths = std::iter::once(usize::MAX).chain(SHORTER);
    let fits = widths.map(whole).find(|lines| lines.chars().count() <= room);
    let lines = fits.unwrap_or_else(|| names(skills, room));
    format!("{intro}\n{lines}").trim_end().to_owned()
}

fn line(skill: &Skill, chars: usize) -> String {
    let Skill { name, description, .. } = skill;
    if chars == 0 {
        return format!("- {name}\n");
    }
    let shown = first_chars(description, chars);
    let more = if shown.len() < description.len() { "…" } else { "" };
    format!("- {name}: {}{more}\n", shown.trim_end())
}

/// As many names as there is room for. The tool tells the others when a name is wrong.
fn names(skills: &Skills, room: usize) -> String {
    let mut out = String::new();
    let mut used = 40;
    for (index, skill) in skills.iter().enumerate() {
        let line = line(skill, 0);
        used += line.chars().count();
        if used > room {
            out.push_str(&format!("- and {} more\n", skills.len() - index));
            break;
        }
        out.push_str(&line);
    }
    out
}

/// A skill's text with its heading, within this many characters, and whether it was cut; `Err` with the reason when it
/// cannot be shown.
pub(crate) fn body(skill: &Skill, most: usize) -> Result<(String, bool), String> {
    let front = front_of(&skill.folder, skill.plugin.as_deref())?;
    let heading = heading(skill);
    let how = format!("use_skill with file \"{SKILL_FILE}\" shows all of it");
    let room = most.saturating_sub(heading.chars().count());
    match within(&front.body, 0, room, &how) {
        Some((text, is_cut)) => Ok((format!("{heading}{text}"), is_cut)),
        None => Err("there is no room for it".to_owned()),
    }
}

/// The first lines of a skill's text: its name, its folder, and what else is there.
fn heading(skill: &Skill) -> String {
    let Skill { name, shown, .. } = skill;
    let mut heading = format!("# Skill: {name}\n\nFolder: {shown}\n");
    let files = files(&skill.folder);
    if !files.is_empty() {
        let named: Vec<&str> = files.iter().take(MOST_FILES).map(String::as_str).collect();
        let more = if files.len() > MOST_FILES { " and more" } else { "" };
        heading.push_str(&format!("Files (use_skill with file reads them): {}{more}\n", named.join(", ")));
    }
    heading.push('\n');
    heading
}

/// Files of a skill's folder but its own, from the folder on, by name. Links are not followed.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting: Vec<(PathBuf, usize)> = vec![(folder.to_owned(), 1)];
    while let Some((at, depth)) = waiting.pop() {
        for entry in at.read_dir().into_iter().flatten().flatten().take(1_000) {
            let name = entry.file_name();
            if name.to_string_lossy().starts_with('.') {
                continue;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < MOST_DEPTH => waiting.push((entry.path(), depth + 1)),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
        if found.len() > 1_000 {
            break;
        }
    }
    let inner = |path: &PathBuf| Some(path.strip_prefix(folder).ok()?.to_string_lossy().into_owned());
    let mut names: Vec<String> = found.iter().filter_map(inner).collect();
    names.retain(|name| name != SKILL_FILE);
    names.sort();
    names.into_iter().map(|name| throughline_text::sanitized(&name).replace('\n', " ")).collect()
}

#[cfg(test)]
mod tests;
