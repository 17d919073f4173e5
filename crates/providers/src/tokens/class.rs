//! Kinds of characters, as far as `o200k_base` tells them apart.
//!
//! The ranges come from the crate whose tables its regular expression is compiled from, so both are
//! of the same version of Unicode.

use std::sync::OnceLock;

use regex_syntax::hir::{Class as HirClass, HirKind};

/// The kind of a character: one bit, so that a set of kinds is one number.
pub(super) type CharClass = u16;

/// Upper-case and title-case letters (`\p{Lu}`, `\p{Lt}`).
pub(super) const UPPER: CharClass = 1;
/// Lower-case letters (`\p{Ll}`).
pub(super) const LOWER: CharClass = 1 << 1;
/// Letters without case (`\p{Lm}`, `\p{Lo}`).
pub(super) const CASELESS: CharClass = 1 << 2;
/// Marks (`\p{M}`).
pub(super) const MARK: CharClass = 1 << 3;
/// Digits and other numbers (`\p{N}`).
pub(super) const NUMBER: CharClass = 1 << 4;
/// Carriage return and line feed.
pub(super) const NEWLINE: CharClass = 1 << 5;
/// The blank itself.
pub(super) const SPACE: CharClass = 1 << 6;
/// Other white space.
pub(super) const WHITE: CharClass = 1 << 7;
/// The apostrophe, which may begin a contraction.
pub(super) const APOSTROPHE: CharClass = 1 << 8;
/// The slash, which may end a run of punctuation.
pub(super) const SLASH: CharClass = 1 << 9;
/// Everything else.
pub(super) const OTHER: CharClass = 1 << 10;

/// Every letter.
pub(super) const LETTER: CharClass = UPPER | LOWER | CASELESS;
/// White space of every kind.
pub(super) const BLANK: CharClass = NEWLINE | SPACE | WHITE;
/// Neither white space nor a letter nor a number.
pub(super) const PUNCTUATION: CharClass = APOSTROPHE | SLASH | OTHER | MARK;

/// Characters in a page of the table.
const PAGE: usize = 256;

/// The kinds of all characters: equal pages are stored once.
#[derive(Debug)]
pub(super) struct Classes {
    ascii: [CharClass; 128],
    pages: Vec<[CharClass; PAGE]>,
    /// Which page holds the characters of a block of 256.
    index: Vec<usize>,
}

impl Classes {
    /// The table, built at the first call (about 2 ms, 60 KB).
    pub(super) fn get() -> &'static Self {
        static CLASSES: OnceLock<Classes> = OnceLock::new();
        CLASSES.get_or_init(Self::build)
    }

    /// The kind of a character.
    pub(super) fn of(&self, c: char) -> CharClass {
        let code = c as usize;
        if let Some(class) = self.ascii.get(code) {
            return *class;
        }
        let page = self.index.get(code / PAGE).and_then(|page| self.pages.get(*page));
        page.and_then(|page| page.get(code % PAGE)).copied().unwrap_or(OTHER)
    }

    fn build() -> Self {
        let mut all = vec![OTHER; char::MAX as usize + 1];
        let mut mark = |pattern: &str, class: CharClass| {
            for (first, last) in ranges(pattern) {
                for slot in all.get_mut(first..=last).into_iter().flatten() {
                    *slot = class;
                }
            }
        };
        mark(r"\s", WHITE);
        mark(r"[\p{Lu}\p{Lt}]", UPPER);
        mark(r"\p{Ll}", LOWER);
        mark(r"[\p{Lm}\p{Lo}]", CASELESS);
        mark(r"\p{M}", MARK);
        mark(r"\p{N}", NUMBER);
        mark(r"[\r\n]", NEWLINE);
        mark(" ", SPACE);
        mark("'", APOSTROPHE);
        mark("/", SLASH);

        let mut ascii = [OTHER; 128];
        ascii.iter_mut().zip(&all).for_each(|(slot, class)| *slot = *class);
        let (mut pages, mut index): (Vec<[CharClass; PAGE]>, Vec<usize>) = (Vec::new(), Vec::new());
        for block in all.chunks_exact(PAGE) {
            let at = pages.iter().position(|page| page == block).unwrap_or_else(|| {
                let mut page = [OTHER; PAGE];
                page.copy_from_slice(block);
                pages.push(page);
                pages.len() - 1
            });
            index.push(at);
        }
        Self { ascii, pages, index }
    }
}

/// The characters that a pattern of one character matches, as ranges of their numbers.
fn ranges(pattern: &str) -> Vec<(usize, usize)> {
    let Ok(hir) = regex_syntax::parse(pattern) else { return Vec::new() };
    match hir.kind() {
        HirKind::Class(HirClass::Unicode(class)) => {
            class.iter().map(|range| (range.start() as usize, range.end() as usize)).collect()
        }
        HirKind::Literal(literal) => {
            literal.0.iter().map(|byte| (usize::from(*byte), usize::from(*byte))).collect()
        }
        _ => Vec::new(),
    }
}
