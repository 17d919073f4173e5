//! Search in a stored result: lines with their numbers and offsets, as `grep -n -b` writes them.

mod folded;

use crate::lines::{TextLine, excerpt, lines};
use folded::{Folded, fold};

/// Maximum bytes that are shown of a line with a match.
const WIDTH: usize = 320;

/// Maximum bytes that are shown of the line before or after.
const CONTEXT: usize = 160;

/// How the query was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchKind {
    /// As written, but for the case of letters.
    Literal,
    /// All of its words, anywhere in a line.
    Words,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hits {
    /// The lines: `number:offset:text`, neighbours `number-offset-text`, `--` between groups.
    pub(crate) text: String,
    /// How the query was found.
    pub(crate) kind: MatchKind,
    /// Matches in the whole content. A short line counts once.
    pub(crate) total: u64,
    /// Matches before the offset.
    pub(crate) skipped: u64,
    /// Matches in the text.
    pub(crate) shown: u64,
    /// Where to search on.
    pub(crate) next_offset: Option<usize>,
}

/// One match.
struct LineHit {
    /// Index of its line.
    line: usize,
    /// Where it is, in the content.
    at: usize,
}

/// Looks for the query in the lines of the content: as written, and when no line has it, all of its words.
pub(crate) fn search(bytes: &[u8], query: &str, offset: usize, limit: usize) -> Hits {
    let lines: Vec<TextLine<'_>> = lines(bytes).collect();
    let mut kind = MatchKind::Literal;
    let mut hits = literal(&lines, &fold(query.as_bytes()).text);
    if hits.is_empty() {
        kind = MatchKind::Words;
        let words: Vec<String> = query.split_whitespace().map(|word| fold(word.as_bytes()).text).collect();
        hits = all_words(&lines, &words);
    }
    let total = hits.len() as u64;
    let skipped = hits.partition_point(|hit| hit.at < offset);
    let rest = hits.get(skipped..).unwrap_or_default();
    let (text, shown) = render(&lines, rest, limit);
    let next_offset = rest.get(shown).map(|hit| hit.at);
    Hits { text, kind, total, skipped: skipped as u64, shown: shown as u64, next_offset }
}

/// Matches of a text. In a line too long to show, those behind a shown part count on their own.
fn literal(lines: &[TextLine<'_>], needle: &str) -> Vec<LineHit> {
    let mut hits = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let folded = fold(line.bytes);
        let mut from = 0;
        while let Some(found) = folded.find(needle, from) {
            hits.push(LineHit { line: index, at: line.at + found });
            // A part that holds the match ends behind its start, so this moves on.
            from = excerpt(line.bytes, found, WIDTH).end.max(found + 1);
        }
    }
    hits
}

fn all_words(lines: &[TextLine<'_>], words: &[String]) -> Vec<LineHit> {
    let mut hits = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let folded: Folded = fold(line.bytes);
        let found: Option<Vec<usize>> = words.iter().map(|word| folded.find(word, 0)).collect();
        if let Some(first) = found.and_then(|places| places.into_iter().min()) {
            hits.push(LineHit { line: index, at: line.at + first });
        }
    }
    hits
}

/// As many hits as fit, at least one.
fn render(lines: &[TextLine<'_>], hits: &[LineHit], limit: usize) -> (String, usize) {
    let mut out = String::new();
    // Index behind the last line that was written.
    let mut written = 0;
    for (index, hit) in hits.iter().enumerate() {
        let Some(line) = lines.get(hit.line) else { continue };
        let mut piece = String::new();
        let before = hit.line.saturating_sub(1);
        if index > 0 && before > written {
            piece.push_str("--\n");
        }
        if before < hit.line && (index == 0 || before >= written) {
            piece.push_str(&neighbour(lines, before));
        }
        let part = excerpt(line.bytes, hit.at - line.at, WIDTH);
        piece.push_str(&format!("{}:{}:{}\n", line.number, hit.at, part.text));
        let next = hits.get(index + 1).map(|hit| hit.line);
        if next.is_none_or(|next| next > hit.line + 1) {
            piece.push_str(&neighbour(lines, hit.line + 1));
            written = hit.line + 2;
        } else {
            written = hit.line + 1;
        }
        if index > 0 && out.len() + piece.len() > limit {
            return (out, index);
        }
        out.push_str(&piece);
    }
    (out, hits.len())
}

fn neighbour(lines: &[TextLine<'_>], index: usize) -> String {
    lines.get(index).map_or_else(String::new, |line| {
        format!("{}-{}-{}\n", line.number, line.at, excerpt(line.bytes, 0, CONTEXT).text)
    })
}

#[cfg(test)]
mod tests;
