//! As much of Markdown as documents need: lines inside and outside of code fences, headings, list items.
//!
//! The rules are those of CommonMark 0.31.2 (4.2 headings, 4.5 fences, 5.2 list items), more tolerant of indentation:
//! what a model writes inside of a list is rarely indented to the letter.

/// One line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// Where it begins, in bytes.
    pub(crate) start: usize,
    /// It without its end.
    pub(crate) text: &'t str,
    /// Whether it is code: inside of a fence, or a fence itself.
    pub(crate) fenced: bool,
}

/// The lines of a text, see [`lines`].
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    rest: &'t str,
    at: usize,
    lead: &'static str,
    fences: Fences,
}

/// The fence that is open in a text, line by line.
#[derive(Debug, Default)]
pub(crate) struct Fences {
    open: Option<Fence>,
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    /// Where it was opened, in bytes.
    start: usize,
}

/// The lines of a text. A line that starts with `lead` may open a fence behind it and is no code itself; an empty
/// lead changes nothing.
pub(crate) fn lines<'t>(text: &'t str, lead: &'static str) -> Lines<'t> {
    Lines { rest: text, at: 0, lead, fences: Fences::default() }
}

impl Lines<'_> {
    /// Where the fence begins that is open here.
    pub(crate) fn open(&self) -> Option<usize> {
        self.fences.open()
    }
}

impl Fences {
    /// Where the fence begins that is open here.
    pub(crate) fn open(&self) -> Option<usize> {
        self.open.map(|fence| fence.start)
    }

    /// Takes the next line, which begins at `start`. Returns true if it is code.
    pub(crate) fn take(&mut self, text: &str, start: usize, lead: &str) -> bool {
        if let Some(fence) = self.open {
            if fence.is_closed_by(text) {
                self.open = None;
            }
            return true;
        }
        let led = text.strip_prefix(lead).filter(|_| !lead.is_empty());
        self.open = Fence::opened_by(led.unwrap_or(text), start);
        self.open.is_some() && led.is_none()
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        let (text, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        let (start, length) = (self.at, self.rest.len() - rest.len());
        self.rest = rest;
        self.at += length;
        let text = text.strip_suffix('\r').unwrap_or(text);
        let fenced = self.fences.take(text, start, self.lead);
        Some(Line { start, text, fenced })
    }
}

impl Fence {
    fn opened_by(line: &str, start: usize) -> Option<Self> {
        // A fence may be the first thing of a list item.
        let bare = item(line).map_or(line, |item| item.text).trim_start();
        let mark = bare.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let behind = bare.trim_start_matches(mark);
        let length = bare.len() - behind.len();
        // Backticks behind backticks: that is code within a line.
        (length >= 3 && !(mark == '`' && behind.contains('`'))).then_some(Self { mark, length, start })
    }

    fn is_closed_by(self, line: &str) -> bool {
        let bare = line.trim();
        bare.len() >= self.length && bare.chars().all(|letter| letter == self.mark)
    }
}

/// Level (1 to 6) and title of a heading, without closing `#`.
pub(crate) fn heading(line: &str) -> Option<(usize, &str)> {
    let bare = line.trim_start_matches(' ');
    if line.len() - bare.len() > 3 {
        return None;
    }
    let behind = bare.trim_start_matches('#');
    let level = bare.len() - behind.len();
    if !(1..=6).contains(&level) || !(behind.is_empty() || behind.starts_with([' ', '\t'])) {
        return None;
    }
    let title = behind.trim();
    let open = title.trim_end_matches('#');
    // Closing marks stand behind a space: `C#` is a title.
    let title = if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { title };
    Some((level, title))
}

/// Returns true if the line is a thematic break of dashes.
pub(crate) fn is_rule(line: &str) -> bool {
    let bare = line.trim();
    bare.len() >= 3 && bare.chars().all(|letter| letter == '-')
}

/// A list item's first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Item<'t> {
    /// Width of the space in front of the mark, in characters.
    pub(crate) indent: usize,
    /// What stands behind the mark.
    pub(crate) text: &'t str,
}

/// The list item that begins in this line: `-`, `*`, `+`, `1.` or `1)`.
pub(crate) fn item(line: &str) -> Option<Item<'_>> {
    let bare = line.trim_start();
    let indent = line.chars().count() - bare.chars().count();
    let behind = match bare.strip_prefix(['-', '*', '+']) {
        Some(behind) => behind,
        None => {
            let behind = bare.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let digits = bare.len() - behind.len();
            behind.strip_prefix(['.', ')']).filter(|_| (1..=9).contains(&digits))?
        }
    };
    if !(behind.is_empty() || behind.starts_with([' ', '\t'])) {
        return None;
    }
    Some(Item { indent, text: behind.trim() })
}

/// The letter in the box in front of a list item's text, and what stands behind the box.
pub(crate) fn checkbox(text: &str) -> Option<(char, &str)> {
    let mut letters = text.strip_prefix('[')?.chars();
    let mark = letters.next()?;
    let behind = letters.as_str().strip_prefix(']')?;
    (behind.is_empty() || behind.starts_with([' ', '\t'])).then(|| (mark, behind.trim()))
}

#[cfg(test)]
mod tests;
