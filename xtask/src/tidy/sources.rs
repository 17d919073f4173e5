//! The files of the project, with the Rust ones split into tokens: what rules over several files read.

use std::collections::BTreeSet;

use crate::source;
use crate::tokens::{Kind, Token, tokens};
use crate::tree::TextFile;

/// Crates that only tests use.
const TEST_CRATES: &[&str] = &["testkit", "testserver"];

/// Features that only tests switch on.
const TEST_FEATURES: &[&str] = &["\"contract\"", "\"mock\""];

/// All files.
pub(super) struct Sources<'a> {
    /// Every text file.
    pub(super) files: &'a [TextFile],
    /// The Rust files among them.
    pub(super) rust: Vec<Source<'a>>,
}

/// A Rust file.
pub(super) struct Source<'a> {
    /// The file.
    pub(super) file: &'a TextFile,
    /// All tokens, comments included.
    pub(super) tokens: Vec<Token<'a>>,
    /// Returns for each line whether only tests compile it.
    test_lines: Vec<bool>,
}

impl<'a> Sources<'a> {
    /// Splits the files.
    pub(super) fn read(files: &'a [TextFile]) -> Self {
        let mut rust: Vec<Source<'a>> =
            files.iter().filter(|file| file.is_rust()).map(Source::read).collect();
        let test_modules: BTreeSet<String> = rust.iter().flat_map(test_modules).collect();
        for source in &mut rust {
            let path = source.file.path.trim_end_matches(".rs");
            let in_module = path
                .match_indices('/')
                .any(|(at, _)| path.get(..at).is_some_and(|path| test_modules.contains(path)));
            if in_module || test_modules.contains(path) || TEST_CRATES.contains(&crate_of(path)) {
                source.test_lines.fill(true);
            }
        }
        Self { files, rust }
    }
}

impl<'a> Source<'a> {
    fn read(file: &'a TextFile) -> Self {
        let test_lines = source::lines(&file.path, &file.text).iter().map(|line| line.test).collect();
        Self { file, tokens: tokens(&file.text), test_lines }
    }

    /// Returns true if only tests compile the token.
    pub(super) fn is_test(&self, token: &Token<'_>) -> bool {
        self.test_lines.get(token.line - 1).copied().unwrap_or(false)
    }

    /// The tokens that every build compiles, without comments.
    pub(super) fn code(&self) -> Vec<Token<'a>> {
        let code = self.tokens.iter().filter(|token| token.kind != Kind::Comment && !self.is_test(token));
        code.copied().collect()
    }

    /// Returns true for a file below the folder `src` of a crate or of xtask.
    pub(super) fn is_in_src(&self) -> bool {
        self.file.path.starts_with("xtask/src/") || self.file.path.split('/').nth(2) == Some("src")
    }
}

/// The crate's folder; `.` for files that belong to no crate.
pub(super) fn crate_of(path: &str) -> &str {
    let mut parts = path.split('/');
    match (parts.next(), parts.next()) {
        (Some("crates"), Some(name)) => name,
        (Some("xtask"), _) => "xtask",
        _ => ".",
    }
}

/// The path, without its extension, of each file that this one declares as a module for tests.
fn test_modules(source: &Source<'_>) -> Vec<String> {
    let path = source.file.path.trim_end_matches(".rs");
    let folder = match path.rsplit_once('/') {
        Some((folder, "lib" | "main")) => folder,
        _ => path,
    };
    let tokens: Vec<_> = source.tokens.iter().filter(|token| token.kind != Kind::Comment).collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let attribute: Vec<_> = tokens.iter().skip(at).take_while(|token| !token.is("]")).collect();
        let for_tests = token.is("#")
            && attribute.get(2).is_some_and(|token| token.is("cfg"))
            && attribute.iter().any(|token| token.is("test"))
            && !attribute.iter().any(|token| token.is("not"))
            && attribute.iter().all(|token| token.kind != Kind::Text || TEST_FEATURES.contains(&token.text));
        let item: Vec<_> =
            tokens.iter().skip(at + attribute.len() + 1).take_while(|token| !token.is(";")).collect();
        if let Some(name) = item.iter().skip_while(|token| !token.is("mod")).nth(1)
            && for_tests
            && item.last() == Some(name)
        {
            found.push(format!("{folder}/{}", name.text));
        }
    }
    found
}

#[cfg(test)]
mod tests;
