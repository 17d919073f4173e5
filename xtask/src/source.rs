//! Rust source by line, with the lines that only tests see marked: the one place that knows what test code is.

/// A line of a Rust file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Counted from one, as editors do.
    pub(crate) number: usize,
    /// Without its line ending.
    pub(crate) text: &'a str,
    /// Whether only a test build compiles it.
    pub(crate) test: bool,
}

/// Returns true if the whole file is tests or benches: by its folder, or by its name.
pub(crate) fn is_test_file(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    name == "tests.rs"
        || name.ends_with("_tests.rs")
        || parts.any(|part| part == "tests" || part == "benches")
}

/// The lines of a file. What follows `#[cfg(test)]` is test code: a whole inline module to the end of the file,
/// any other item to its end. Reading by line is enough because the code is formatted.
pub(crate) fn lines<'a>(path: &str, text: &'a str) -> Vec<Line<'a>> {
    let all_test = is_test_file(path);
    let mut scan = Scan::Code;
    let line = |(index, text): (usize, &'a str)| {
        let test = scan.step(text) || all_test;
        Line { number: index + 1, text, test }
    };
    text.lines().enumerate().map(line).collect()
}

/// Where the reader is.
#[derive(Debug)]
enum Scan {
    /// In code that every build compiles.
    Code,
    /// After `#[cfg(test)]`, before the item that it belongs to.
    Attribute,
    /// In an item that only tests see; it ends with a closing bracket at this indentation.
    Item(usize),
    /// In the test module at the end of the file.
    Module,
}

impl Scan {
    /// Takes one line and says whether it is test code.
    fn step(&mut self, line: &str) -> bool {
        let body = line.trim();
        let indent = line.len() - line.trim_start().len();
        match *self {
            Self::Code if body == "#[cfg(test)]" => *self = Self::Attribute,
            Self::Code => return false,
            Self::Attribute if body.starts_with("#[") || body.starts_with("//") => {}
            Self::Attribute => *self = Self::item(body, indent),
            Self::Item(start) if indent == start && body.starts_with(['}', ')']) => *self = Self::Code,
            Self::Item(_) | Self::Module => {}
        }
        true
    }

    /// What the first line of an item opens.
    fn item(body: &str, indent: usize) -> Self {
        if body.ends_with([';', '}', ',']) {
            Self::Code
        } else if body.split_whitespace().any(|word| word == "mod") {
            Self::Module
        } else {
            Self::Item(indent)
        }
    }
}

#[cfg(test)]
mod tests;
