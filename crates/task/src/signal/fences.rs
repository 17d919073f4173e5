//! Code blocks in markdown: their text is quoted, so a signal in one does not count.

/// Follows a text line by line. A block begins with three or more backticks or tildes, at most three spaces in, and
/// ends with at least as many of the same (CommonMark 0.31, "fenced code blocks").
#[derive(Debug, Default)]
pub(crate) struct Fences {
    /// The open block's mark and its length.
    open: Option<(char, usize)>,
}

impl Fences {
    /// Takes the next line. Returns true if it belongs to a block, the lines that begin and end one included.
    pub(crate) fn covers(&mut self, line: &str) -> bool {
        let inner = line.trim_start_matches(' ');
        let mark = inner.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let fence = mark.filter(|_| line.len() - inner.len() <= 3).and_then(|mark| {
            let rest = inner.trim_start_matches(mark);
            let length = inner.len() - rest.len();
            (length >= 3).then_some((mark, length, rest))
        });
        match (self.open, fence) {
            (None, Some((mark, length, rest))) if mark == '~' || !rest.contains('`') => {
                self.open = Some((mark, length));
                true
            }
            (None, _) => false,
            (Some((open, least)), Some((mark, length, rest))) if mark == open && length >= least => {
                if rest.trim().is_empty() {
                    self.open = None;
                }
                true
            }
            (Some(_), _) => true,
        }
    }
}
