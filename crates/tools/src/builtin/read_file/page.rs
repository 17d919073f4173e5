//! Reads a range of lines from a text of any length in bounded memory.

use std::borrow::Cow;
use std::io::{BufRead, ErrorKind, Read, Result};

use throughline_text::{counted, cut_end};

use crate::output::ToolOutput;

/// Maximum number of lines of one answer.
pub(super) const MAX_LINES: u64 = 2_000;

/// Maximum bytes of one answer, line numbers included.
const MAX_BYTES: usize = 50 * 1024;

/// The requested lines. `next` is the first line that did not fit, if there are more.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    lines: u64,
    next: Option<u64>,
    cut_line: bool,
    lossy: bool,
}

/// Reads at most `most` lines, starting at line `first`.
///
/// # Errors
/// When the text cannot be read, or `stop` returns true.
pub(super) fn page(mut file: impl BufRead, first: u64, most: u64, stop: impl Fn() -> bool) -> Result<Page> {
    let mut page = Page::default();
    let mut shown: u64 = 0;
    let mut line = Vec::new();
    loop {
        if page.lines % 1_024 == 0 && stop() {
            return Err(ErrorKind::Interrupted.into());
        }
        if page.lines + 1 < first {
            if !skip(&mut file, &stop)? {
                return Ok(page);
            }
            page.lines += 1;
            continue;
        }
        line.clear();
        // A line may be larger than memory. One byte more than the limit is enough to know that it must be truncated.
        let read = Read::by_ref(&mut file).take(MAX_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(page);
        }
        if read > MAX_BYTES && line.last() != Some(&b'\n') {
            skip(&mut file, &stop)?;
        }
        page.lines += 1;
        let text = String::from_utf8_lossy(&line);
        // A truncated line may end within a character.
        page.lossy |= read <= MAX_BYTES && matches!(text, Cow::Owned(_));
        let text = text.trim_end_matches(['\n', '\r']);
        let number = format!("{:>6}\t", page.lines);
        let room = MAX_BYTES.saturating_sub(page.text.len() + number.len() + 1);
        if shown == most || (text.len() > room && shown > 0) {
            page.next = Some(page.lines);
            return Ok(page);
        }
        let part = cut_end(text, room);
        page.cut_line |= part.len() < text.len();
        page.text.push_str(&number);
        page.text.push_str(part);
        page.text.push('\n');
        shown += 1;
    }
}

/// Skips to the end of the line. Returns false at the end of the file.
fn skip(file: &mut impl BufRead, stop: &impl Fn() -> bool) -> Result<bool> {
    let mut any = false;
    loop {
        let buffer = file.fill_buf()?;
        let (bytes, last) = (buffer.len(), buffer.contains(&b'\n'));
        any |= bytes > 0;
        if last {
            file.skip_until(b'\n')?;
        }
        if last || bytes == 0 {
            return Ok(any);
        }
        file.consume(bytes);
        if stop() {
            return Err(ErrorKind::Interrupted.into());
        }
    }
}

impl Page {
    /// The output for the model.
    pub(super) fn into_output(self, first: u64) -> ToolOutput {
        let Self { mut text, lines, next, cut_line, lossy } = self;
        if text.is_empty() {
            return match lines {
                0 if first == 1 => ToolOutput::text("[the file is empty]"),
                lines => {
                    let lines = counted(lines, "line");
                    ToolOutput::error(format!("The file has {lines}; line {first} is behind its end."))
                }
            };
        }
        if cut_line {
            text.push_str("[a line was too long and was cut; shell with `cut -c` shows its rest]\n");
        }
        if lossy {
            text.push_str(
                "[not all of it is UTF-8: what is not is shown as \u{fffd}; change it with shell]\n",
            );
        }
        match next {
            Some(next) => text.push_str(&format!("[more follows: continue with offset {next}]")),
            None => text.push_str(&format!("[end of file: {}]", counted(lines, "line"))),
        }
        ToolOutput::text(text)
    }
}
