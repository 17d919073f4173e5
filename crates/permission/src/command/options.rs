//! Tables of the options that programs have.

/// The options of a program that are known to be harmless.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownOptions {
    /// Short options without a value, which can be grouped.
    pub(super) flags: &'static str,
    /// Short options with a value, which is harmless too.
    pub(super) valued: &'static str,
    /// Long options without their dashes, in rows of words. A value may follow after `=` or as the next word.
    pub(super) long: &'static [&'static str],
}

/// A group of short options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters<'a> {
    /// All are harmless.
    Flags,
    /// The last one has a value: this text, or the next word if it is empty.
    Value {
        /// The option.
        letter: char,
        /// The rest of the word.
        text: &'a str,
    },
    /// One is not known.
    Unknown,
}

impl KnownOptions {
    /// Reads the letters behind a dash.
    pub(super) fn read<'a>(&self, letters: &'a str) -> Letters<'a> {
        for (at, letter) in letters.char_indices() {
            if self.valued.contains(letter) {
                let text = letters.get(at + letter.len_utf8()..).unwrap_or_default();
                return Letters::Value { letter, text };
            }
            if !self.flags.contains(letter) {
                return Letters::Unknown;
            }
        }
        Letters::Flags
    }

    /// Returns true if it has this long option, which is written without its dashes and its value.
    pub(super) fn has_long(&self, name: &str) -> bool {
        has_word(self.long, name)
    }
}

/// Returns true if a word is in rows of words with a space between two.
pub(super) fn has_word(rows: &[&str], word: &str) -> bool {
    rows.iter().flat_map(|row| row.split(' ')).any(|own| own == word)
}
