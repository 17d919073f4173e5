//! The links and anchors of one page of Markdown, without those in code.

use std::collections::BTreeSet;

use super::slug;

/// What a page links to, and what can be linked to in it.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Targets with their lines.
    pub(super) links: Vec<(usize, String)>,
    /// Names behind `#`: of headings, and of elements with an id.
    pub(super) anchors: BTreeSet<String>,
}

impl Page {
    /// Reads a page.
    pub(super) fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut fence: Option<&str> = None;
        for (index, line) in text.lines().enumerate() {
            let bare = line.trim_start();
            let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
            match (fence, mark) {
                (None, Some(_)) => fence = mark,
                (Some(open), Some(close)) if open == close => fence = None,
                (None, None) => page.take(index + 1, line),
                _ => {}
            }
        }
        page
    }

    /// Takes a line that is no code.
    fn take(&mut self, number: usize, line: &str) {
        if let Some(heading) = heading(line) {
            let name = slug::of(heading);
            let twice = (1..).map(|count| format!("{name}-{count}"));
            let free = std::iter::once(name.clone()).chain(twice).find(|name| !self.anchors.contains(name));
            self.anchors.extend(free);
        }
        let line = slug::without_code(line);
        for target in between(&line, "](", ')').into_iter().chain(defined(&line)) {
            // A title may follow the target.
            let target = target.split(" \"").next().unwrap_or_default();
            self.links.push((number, target.trim_matches(['<', '>']).to_owned()));
        }
        for attribute in ["href=\"", "src=\"", "srcset=\""] {
            self.links.extend(between(&line, attribute, '"').into_iter().map(|at| (number, at.to_owned())));
        }
        for attribute in ["id=\"", "name=\""] {
            self.anchors.extend(between(&line, attribute, '"').into_iter().map(str::to_owned));
        }
    }
}

/// The text of a heading.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim())
}

/// The target of a line such as `[name]: target`. A footnote has none.
fn defined(line: &str) -> Option<&str> {
    let (name, target) = line.strip_prefix('[')?.split_once("]: ")?;
    (!name.contains(']') && !name.starts_with('^')).then(|| target.trim())
}

/// What is between each `start` and the next `end`.
fn between<'a>(line: &'a str, start: &str, end: char) -> Vec<&'a str> {
    let parts = line.split(start).skip(1);
    parts.filter_map(|part| part.split_once(end)).map(|(inside, _)| inside).collect()
}
