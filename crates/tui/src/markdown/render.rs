//! Whole blocks as lines.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::code::code_line;
use super::inline::Inline;
use super::table::Table;
use crate::layout::wrap_words_hanging;
use crate::line::{DIM, Line, PLAIN};

/// Longer lines of prose are hard to read on a wide screen.
const WIDEST: usize = 120;

/// What models write.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// A text's blocks as lines of this width. Code is left whole.
pub(crate) fn render(text: &str, columns: usize) -> Vec<Line> {
    let mut renderer = Renderer { columns: columns.clamp(1, WIDEST), ..Renderer::default() };
    for event in Parser::new_ext(text, options()) {
        renderer.take(event);
    }
    renderer.flush();
    renderer.lines
}

/// The position of a line of text.
#[derive(Debug)]
enum Frame {
    Quote,
    List {
        /// The next item's number; `None`: bullets.
        next: Option<u64>,
    },
    Item {
        /// The prefix of its first line, until that is written.
        mark: String,
        width: usize,
        written: bool,
    },
}

#[derive(Debug, Default)]
struct Renderer {
    columns: usize,
    lines: Vec<Line>,
    frames: Vec<Frame>,
    inline: Inline,
    /// Set inside a block of code.
    code: Option<String>,
    /// The language of that block; may be empty.
    language: String,
    table: Option<Table>,
    row: Vec<Line>,
}

impl Renderer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(tag) => self.close(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.inline.text(&text),
            },
            Event::Code(text) => self.inline.code(&text),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.inline.code(&text),
            Event::Html(text) | Event::InlineHtml(text) => {
                for (index, line) in text.split('\n').enumerate() {
                    if index > 0 {
                        self.inline.end_line();
                    }
                    self.inline.dim(line);
                }
            }
            Event::FootnoteReference(name) => self.inline.dim(&format!("[^{name}]")),
            // Models write lists of lines and addresses without the marks of Markdown: each of their lines is a line.
            Event::SoftBreak | Event::HardBreak => self.inline.end_line(),
            Event::Rule => {
                self.begin_block();
                let rule = "─".repeat(self.room().min(40));
                self.put(Line::styled(rule, DIM));
            }
            Event::TaskListMarker(done) => self.inline.text(if done { "[x] " } else { "[ ] " }),
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.begin_block(),
            Tag::Heading { .. } => {
                self.begin_block();
                self.inline.heading(true);
            }
            Tag::BlockQuote(_) => {
                self.begin_block();
                self.frames.push(Frame::Quote);
            }
            Tag::CodeBlock(kind) => {
                self.begin_block();
                self.language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some(String::new());
            }
            Tag::List(next) => {
                self.begin_block();
                self.frames.push(Frame::List { next });
            }
            Tag::Item => self.item(),
            Tag::Table(alignments) => {
                self.begin_block();
                self.table = Some(Table { alignments, rows: Vec::new() });
            }
            Tag::TableHead => self.inline.bold(true),
            Tag::Emphasis => self.inline.italic(true),
            Tag::Strong => self.inline.bold(true),
            Tag::Strikethrough => self.inline.struck(true),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => self.inline.open_link(&dest_url),
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.inline.heading(false);
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) => {
                self.flush();
                self.frames.pop();
            }
            TagEnd::Item => {
                self.flush();
                // An item without text still has its mark.
                if matches!(self.frames.last(), Some(Frame::Item { written: false, .. })) {
                    self.put(Line::blank());
                }
                self.frames.pop();
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableCell => {
                let mut cell = Line::blank();
                for line in self.inline.take() {
                    cell.append(line);
                }
                self.row.push(cell);
            }
            end @ (TagEnd::TableHead | TagEnd::TableRow) => {
                if end == TagEnd::TableHead {
                    self.inline.bold(false);
                }
                let row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.rows.push(row);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    for line in table.render(self.room()) {
                        self.put(line);
                    }
                }
            }
            TagEnd::Emphasis => self.inline.italic(false),
            TagEnd::Strong => self.inline.bold(false),
            TagEnd::Strikethrough => self.inline.struck(false),
            TagEnd::Link | TagEnd::Image => self.inline.close_link(),
            _ => {}
        }
    }

    fn item(&mut self) {
        self.flush();
        let mark = match self.frames.last_mut() {
            Some(Frame::List { next: Some(number) }) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            _ => "- ".to_owned(),
        };
        let width = mark.len();
        self.frames.push(Frame::Item { mark, width, written: false });
    }

    fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        let language = std::mem::take(&mut self.language);
        for line in code.lines() {
            self.put(code_line(line, &language));
        }
    }

    /// Blocks have an empty line between them; the first one in an item or a quote has none before it.
    fn begin_block(&mut self) {
        self.flush();
        let first = match self.frames.last() {
            None => self.lines.is_empty(),
            Some(Frame::Item { .. } | Frame::List { .. }) => true,
            Some(Frame::Quote) => self.lines.last().is_none_or(Line::is_empty),
        };
        let in_list = self.frames.iter().any(|frame| matches!(frame, Frame::Item { .. }));
        if !first && !in_list {
            let blank = self.starts().1;
            self.lines.push(blank);
        }
    }

    /// Columns for text, after its prefix.
    fn room(&self) -> usize {
        let frames = self.frames.iter().map(|frame| match frame {
            Frame::Quote => 2,
            Frame::List { .. } => 0,
            Frame::Item { width, .. } => *width,
        });
        self.columns.saturating_sub(frames.sum()).max(1)
    }

    /// The prefix of the next line of text, and that of the lines after it.
    fn starts(&self) -> (Line, Line) {
        let (mut first, mut rest) = (Line::blank(), Line::blank());
        for frame in &self.frames {
            match frame {
                Frame::Quote => {
                    first.add("│ ", DIM);
                    rest.add("│ ", DIM);
                }
                Frame::List { .. } => {}
                Frame::Item { mark, width, written } => {
                    if *written {
                        first.add(" ".repeat(*width), PLAIN);
                    } else {
                        first.add(mark, DIM);
                    }
                    rest.add(" ".repeat(*width), PLAIN);
                }
            }
        }
        (first, rest)
    }

    /// Writes the text so far.
    fn flush(&mut self) {
        if self.table.is_some() || self.inline.is_empty() {
            return;
        }
        for line in self.inline.take() {
            self.put(line);
        }
    }

    /// Writes a line where the frames say.
    fn put(&mut self, line: Line) {
        let (first, rest) = self.starts();
        for frame in &mut self.frames {
            if let Frame::Item { written, .. } = frame {
                *written = true;
            }
        }
        if line.is_whole() {
            let mut whole = first;
            whole.append(line);
            self.lines.push(whole.whole());
        } else {
            self.lines.extend(wrap_words_hanging(&first, &rest, &line, self.columns));
        }
    }
}
