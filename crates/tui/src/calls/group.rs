//! Successive calls that only read, as one block: what was read is a line, not a card for each.

use std::time::{Duration, Instant};

use throughline_text::counted;

use super::card::{BODY, FinishedCall, MARK};
use super::output::CallOutput;
use super::running::elapsed;
use super::verb::{only_reads, subject, verb};
use crate::layout::{cut_text, width};
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::palette::GOOD;

/// A call of the group.
#[derive(Debug)]
struct Read {
    verb: String,
    subject: String,
    count: usize,
    unit: &'static str,
    /// The whole card, for a group of one.
    card: Vec<Line>,
}

/// The calls so far.
#[derive(Debug, Default)]
pub(crate) struct ReadGroup {
    reads: Vec<Read>,
    /// From the start of the first call to the end of the last.
    span: Option<(Instant, Instant)>,
}

impl ReadGroup {
    /// Takes a call into the group. Returns false if it does not belong there.
    pub(crate) fn take(&mut self, call: &FinishedCall<'_>, span: (Instant, Instant), columns: usize) -> bool {
        if call.is_error || call.stored.is_some() || !only_reads(call.name) {
            return false;
        }
        let unit = if call.name == "grep" { "match" } else { "line" };
        self.reads.push(Read {
            verb: verb(call.name),
            subject: subject(call.name, call.input),
            count: CallOutput::of(call.result, false).count_listed(),
            unit,
            card: call.lines(columns, false),
        });
        self.span = Some(self.span.map_or(span, |(start, end)| (start.min(span.0), end.max(span.1))));
        true
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.reads.is_empty()
    }

    /// Its lines: a title, and a row for each kind of call.
    pub(crate) fn lines(&self, columns: usize) -> Vec<Line> {
        if let [only] = self.reads.as_slice() {
            return only.card.clone();
        }
        let verbs = self.verbs();
        let mut title = Line::plain(MARK).then("✓ ", PLAIN.fg(GOOD));
        for (index, verb) in verbs.iter().enumerate() {
            let count = self.of(verb).count();
            if index > 0 {
                title.add(", ", PLAIN);
            }
            if index == 0 || verb != "search" {
                title.add(verb, if index == 0 { BOLD } else { PLAIN });
                title.add(" ", PLAIN);
            }
            title.add(counted(count as u64, noun(verb, index == 0)), PLAIN);
        }
        let took = self.span.map_or(Duration::ZERO, |(start, end)| end.saturating_duration_since(start));
        if took >= Duration::from_millis(500) {
            title.add(format!("  {}", elapsed(took)), DIM);
        }
        let widest = verbs.iter().map(|verb| width(verb)).max().unwrap_or_default();
        let rows = verbs.iter().map(|verb| self.row(verb, widest, columns));
        std::iter::once(title).chain(rows).collect()
    }

    /// The verbs, in the order of their first calls.
    fn verbs(&self) -> Vec<String> {
        let mut verbs: Vec<String> = Vec::new();
        for read in &self.reads {
            if !verbs.contains(&read.verb) {
                verbs.push(read.verb.clone());
            }
        }
        verbs
    }

    fn of<'a>(&'a self, verb: &'a str) -> impl Iterator<Item = &'a Read> {
        self.reads.iter().filter(move |read| read.verb == verb)
    }

    /// What the calls of a verb were about, as many as fit in a row.
    fn row(&self, verb: &str, widest: usize, columns: usize) -> Line {
        let mut line = Line::plain(BODY).then(format!("{verb:<widest$}  "), DIM);
        let all: Vec<&Read> = self.of(verb).collect();
        for (index, read) in all.iter().enumerate() {
            let last = index + 1 == all.len();
            let count = if last { counted(read.count as u64, read.unit) } else { read.count.to_string() };
            let separator = if index == 0 { "" } else { " · " };
            let rest = format!(" · {} more", all.len() - index);
            let needed = width(separator) + width(&read.subject) + 1 + width(&count);
            let reserve = if last { 0 } else { width(&rest) };
            if index > 0 && line.width() + needed + reserve > columns {
                return line.then(rest, DIM);
            }
            line.add(separator, DIM);
            let room = columns.saturating_sub(line.width() + width(&count) + 1 + reserve);
            line.add(cut_text(&read.subject, room.max(8)), PLAIN);
            line.add(format!(" {count}"), DIM);
        }
        line
    }
}

/// What the calls of a verb are about.
fn noun(verb: &str, first: bool) -> &'static str {
    match verb {
        "read" => "file",
        "search" if first => "pattern",
        "search" => "search",
        "list" => "folder",
        "fetch" => "page",
        "recall" => "result",
        _ => "call",
    }
}
