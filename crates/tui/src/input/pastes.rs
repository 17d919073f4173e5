//! Large pastes: a short mark stands for them in the input, and they are sent whole.

/// Lines from which a paste is folded.
const LINES: usize = 8;
/// Bytes from which a paste is folded.
const BYTES: usize = 1_000;

/// The pastes that an input holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Pastes(Vec<Paste>);

#[derive(Debug, Clone)]
struct Paste {
    mark: String,
    text: String,
}

impl Pastes {
    /// What stands in the input for this paste: itself, or a mark.
    pub(super) fn fold(&mut self, text: &str, input: &str) -> String {
        let lines = text.lines().count();
        if lines < LINES && text.len() < BYTES {
            return text.to_owned();
        }
        let size =
            if lines > 1 { format!("{lines} lines") } else { format!("{} characters", text.chars().count()) };
        let taken = |mark: &str| input.contains(mark) || self.0.iter().any(|paste| paste.mark == mark);
        let mut mark = format!("[pasted {size}]");
        let mut number = 2;
        while taken(&mark) {
            mark = format!("[pasted {size} #{number}]");
            number += 1;
        }
        self.0.push(Paste { mark: mark.clone(), text: text.to_owned() });
        mark
    }

    /// Length of the mark at the end of a text, when there is one.
    pub(super) fn ends(&self, text: &str) -> Option<usize> {
        self.0.iter().find(|paste| text.ends_with(&paste.mark)).map(|paste| paste.mark.len())
    }

    /// Length of the mark at the start of a text, when there is one.
    pub(super) fn starts(&self, text: &str) -> Option<usize> {
        self.0.iter().find(|paste| text.starts_with(&paste.mark)).map(|paste| paste.mark.len())
    }

    /// The input with every mark turned into what it stands for.
    pub(super) fn unfold(&self, input: &str) -> String {
        let mut out = String::with_capacity(input.len());
        let mut rest = input;
        loop {
            let next = self
                .0
                .iter()
                .filter_map(|paste| rest.find(&paste.mark).map(|at| (at, paste)))
                .min_by_key(|(at, _)| *at);
            let Some((at, paste)) = next else {
                out.push_str(rest);
                return out;
            };
            out.push_str(rest.get(..at).unwrap_or_default());
            out.push_str(&paste.text);
            rest = rest.get(at + paste.mark.len()..).unwrap_or_default();
        }
    }
}
