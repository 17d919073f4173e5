//! When a result is stored, and how much of it the model still sees.

/// How the preview of a stored result looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PreviewFormat {
    /// The size, the tool and the first 200 characters.
    Seed,
    /// The start, lines of the middle that look like errors, and the end.
    HeadTail,
}

/// When a result is stored, and how much of it the model still sees. Sizes are bytes of UTF-8 text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OffloadPolicy {
    /// A result that is longer than this is stored.
    pub threshold_bytes: usize,
    /// The same for a result that shows a file, if that is more: the model edits what it has read.
    pub read_threshold_bytes: usize,
    /// Maximum bytes shown of its start, by [`PreviewFormat::HeadTail`].
    pub head_bytes: usize,
    /// Maximum bytes shown of its end, by [`PreviewFormat::HeadTail`].
    pub tail_bytes: usize,
    /// Maximum number of lines that look like errors, by [`PreviewFormat::HeadTail`].
    pub error_lines: usize,
    /// Bytes of names of its middle, by [`PreviewFormat::HeadTail`].
    pub name_bytes: usize,
    /// How the preview looks.
    pub format: PreviewFormat,
}

/// Sizes for one size of window.
struct PreviewSizes {
    window: u64,
    threshold: u64,
    head: u64,
    tail: u64,
}

/// Where windows are small, room for history is worth more than the whole of a result.
const SMALL: PreviewSizes = PreviewSizes { window: 64_000, threshold: 12_000, head: 5_000, tail: 3_000 };

/// Where room is not short, short previews cost edits that need lines which were cut.
const LARGE: PreviewSizes = PreviewSizes { window: 100_000, threshold: 24_000, head: 12_000, tail: 6_000 };

/// From here down, sizes shrink with the window: one preview stays near a tenth of it.
const TINY: u64 = 32_000;

/// Below this a preview would be little more than its frame.
const LEAST: u64 = 1_000;

/// Error lines from [`TINY`] up.
const ERROR_LINES: u64 = 12;

impl OffloadPolicy {
    /// Everything over 4096 bytes, by [`PreviewFormat::Seed`].
    #[must_use]
    pub fn seed() -> Self {
        let format = PreviewFormat::Seed;
        Self {
            threshold_bytes: 4096,
            read_threshold_bytes: 0,
            head_bytes: 200,
            tail_bytes: 0,
            error_lines: 0,
            name_bytes: 0,
            format,
        }
    }

    /// Sizes that suit a model's window, by [`PreviewFormat::HeadTail`].
    ///
    /// The figures were measured on recorded sessions: with small windows a preview of 8,000 bytes leaves more
    /// room for history than it takes away, with large ones the same preview costs more edits than it saves.
    #[must_use]
    pub fn for_window(window_tokens: u64) -> Self {
        let window = window_tokens.max(LEAST);
        let size = |small: u64, large: u64| {
            let over = window.clamp(SMALL.window, LARGE.window) - SMALL.window;
            let size = small + (large - small) * over / (LARGE.window - SMALL.window);
            usize::try_from(size * window.min(TINY) / TINY).unwrap_or(usize::MAX)
        };
        Self {
            threshold_bytes: size(SMALL.threshold, LARGE.threshold),
            read_threshold_bytes: 0,
            head_bytes: size(SMALL.head, LARGE.head),
            tail_bytes: size(SMALL.tail, LARGE.tail),
            error_lines: size(ERROR_LINES, ERROR_LINES),
            name_bytes: 0,
            format: PreviewFormat::HeadTail,
        }
    }
}

/// What a result shows, where that decides about its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ResultKind {
    /// The text of a file.
    File,
    /// Anything else.
    #[default]
    Other,
}

impl OffloadPolicy {
    /// A result of this kind that is longer is stored. In bytes.
    #[must_use]
    pub fn threshold(&self, kind: ResultKind) -> usize {
        match kind {
            ResultKind::File => self.threshold_bytes.max(self.read_threshold_bytes),
            ResultKind::Other => self.threshold_bytes,
        }
    }
}

/// Bytes that the texts of a message may take together that alone is larger than the window, when this many tokens are free: a
/// quarter of them. The rest is for the work on it.
#[must_use]
pub fn message_room(free_tokens: u64) -> usize {
    inline_room(free_tokens).saturating_mul(2)
}

/// Bytes that a result may take that could not be stored, when this many tokens of the window are free: an eighth of them.
#[must_use]
pub fn inline_room(free_tokens: u64) -> usize {
    /// Few texts have fewer bytes per token.
    const BYTES_PER_TOKEN: u64 = 3;

    usize::try_from(free_tokens / 8 * BYTES_PER_TOKEN).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
