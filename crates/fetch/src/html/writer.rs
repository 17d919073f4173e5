//! Writes Markdown: white space, lists, links and code.

/// Maximum bytes of the text; the rest is dropped.
const MAX_TEXT: usize = 2 * 1024 * 1024;

/// Deepest indentation of nested lists.
const MAX_DEPTH: usize = 8;

/// The separator between the written text and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Blank,
    Line,
    Paragraph,
}

/// The Markdown so far. Separators and markers are written only when text follows.
#[derive(Debug)]
pub(super) struct Writer {
    text: String,
    gap: Gap,
    prefix: String,
    /// The current hidden element, and its nesting depth within itself.
    hidden: Option<(String, usize)>,
    /// The number of the next item of each open list; `None` for a bullet list.
    lists: Vec<Option<u64>>,
    link: Option<Link>,
    code: bool,
    ticked: bool,
    cells: usize,
}

#[derive(Debug)]
struct Link {
    address: String,
    begun: bool,
}

impl Writer {
    pub(super) fn new() -> Self {
        Self {
            text: String::new(),
            gap: Gap::None,
            prefix: String::new(),
            hidden: None,
            lists: Vec::new(),
            link: None,
            code: false,
            ticked: false,
            cells: 0,
        }
    }

    /// Writes visible text. Outside of code, white space collapses to one space.
    pub(super) fn text(&mut self, text: &str) {
        if self.hidden.is_some() || self.text.len() > MAX_TEXT {
            return;
        }
        if self.code {
            self.text.push_str(text);
            return;
        }
        if text.starts_with(char::is_whitespace) {
            self.widen(Gap::Blank);
        }
        for word in text.split_whitespace() {
            self.flush();
            self.text.push_str(word);
            self.gap = Gap::Blank;
        }
        if !text.ends_with(char::is_whitespace) && self.gap == Gap::Blank {
            self.gap = Gap::None;
        }
    }

    /// Writes the pending separator, prefix and link start.
    fn flush(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        if !self.text.is_empty() {
            match gap {
                Gap::None => {}
                Gap::Blank => self.text.push(' '),
                Gap::Line => self.text.push('\n'),
                Gap::Paragraph => self.text.push_str("\n\n"),
            }
        }
        self.text.push_str(&std::mem::take(&mut self.prefix));
        if let Some(link) = &mut self.link
            && !link.begun
        {
            link.begun = true;
            self.text.push('[');
        }
    }

    fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    pub(super) fn line(&mut self) {
        if self.code {
            self.text("\n");
        } else {
            self.cells = 0;
            self.widen(Gap::Line);
        }
    }

    pub(super) fn paragraph(&mut self) {
        // The marker of an item is written with its first paragraph.
        let item = !self.prefix.is_empty() && !self.lists.is_empty();
        if !self.code && !item {
            self.cells = 0;
            self.prefix.clear();
            self.widen(Gap::Paragraph);
        }
    }

    /// Sets the marker before the next text.
    pub(super) fn prefix(&mut self, mark: &str) {
        if !self.code && self.hidden.is_none() {
            self.prefix = mark.to_owned();
        }
    }

    /// Drops everything until the element ends.
    pub(super) fn hide(&mut self, name: &str) {
        match &mut self.hidden {
            None => self.hidden = Some((name.to_owned(), 1)),
            Some((hidden, depth)) if hidden == name => *depth += 1,
            Some(_) => {}
        }
    }

    pub(super) fn show(&mut self, name: &str) {
        if let Some((hidden, depth)) = &mut self.hidden
            && hidden == name
        {
            *depth -= 1;
            if *depth == 0 {
                self.hidden = None;
            }
        }
    }

    pub(super) fn begin_list(&mut self, number: Option<u64>) {
        self.widen(if self.lists.is_empty() { Gap::Paragraph } else { Gap::Line });
        self.lists.push(number);
    }

    pub(super) fn end_list(&mut self) {
        if self.lists.pop().is_none() {
            return;
        }
        self.prefix.clear();
        self.widen(if self.lists.is_empty() { Gap::Paragraph } else { Gap::Line });
    }

    pub(super) fn item(&mut self) {
        self.line();
        let indent = "  ".repeat(self.lists.len().saturating_sub(1).min(MAX_DEPTH));
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{indent}{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            _ => format!("{indent}- "),
        };
        self.prefix(&mark);
    }

    /// Separates the cells of a row, which share a line.
    pub(super) fn cell(&mut self) {
        if self.cells > 0 && self.hidden.is_none() {
            self.widen(Gap::Blank);
            self.flush();
            self.text.push('|');
            self.gap = Gap::Blank;
        }
        self.cells += 1;
    }

    pub(super) fn begin_link(&mut self, address: Option<String>) {
        self.end_link();
        if self.hidden.is_none() && !self.code {
            self.link = address.map(|address| Link { address, begun: false });
        }
    }

    pub(super) fn end_link(&mut self) {
        if let Some(Link { address, begun: true }) = self.link.take() {
            self.text.push_str(&format!("]({address})"));
        }
    }

    pub(super) fn tick(&mut self) {
        if self.code || self.hidden.is_some() {
            return;
        }
        if self.ticked {
            self.text.push('`');
        } else {
            self.flush();
            self.text.push('`');
        }
        self.ticked = !self.ticked;
    }

    pub(super) fn begin_code(&mut self) {
        if self.code || self.hidden.is_some() {
            return;
        }
        self.end_link();
        self.paragraph();
        self.flush();
        self.text.push_str("```\n");
        self.code = true;
    }

    pub(super) fn end_code(&mut self) {
        if !self.code || self.hidden.is_some() {
            return;
        }
        self.code = false;
        let trimmed = self.text.trim_end().len();
        self.text.truncate(trimmed);
        self.text.push_str("\n```");
        self.gap = Gap::Paragraph;
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> String {
        self.end_link();
        if self.code {
            self.hidden = None;
            self.end_code();
        }
        self.text
    }
}
