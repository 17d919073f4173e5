//! A line of code, lightly coloured: comments, strings and the words of the language. A line is coloured by itself, so a
//! comment or a string of several lines is coloured on its first one only.

use crate::line::{DIM, Line, PLAIN, Style};
use crate::palette::{ACCENT, BAD, GOOD, MEMORY};

const STRING: Style = PLAIN.fg(GOOD);
const WORD: Style = PLAIN.fg(MEMORY);

/// How a family of languages is written.
#[derive(Debug, Clone, Copy)]
struct Rules {
    comment: &'static str,
    quotes: &'static str,
    words: &'static [&'static str],
}

/// Colours a line of code in the language that a fence names.
pub(super) fn code_line(text: &str, language: &str) -> Line {
    let name =
        language.split(|letter: char| !letter.is_alphanumeric() && letter != '+').next().unwrap_or_default();
    let name = name.to_lowercase();
    if matches!(name.as_str(), "diff" | "patch") {
        return diff_line(text).whole();
    }
    match rules(&name) {
        Some(rules) => coloured(text, rules).whole(),
        None => Line::plain(text).whole(),
    }
}

fn diff_line(text: &str) -> Line {
    let style = match text.chars().next() {
        Some('+') => PLAIN.fg(GOOD),
        Some('-') => PLAIN.fg(BAD),
        Some('@') => PLAIN.fg(ACCENT),
        _ => PLAIN,
    };
    Line::styled(text, style)
}

fn rules(name: &str) -> Option<Rules> {
    Some(match name {
        "rust" | "rs" => Rules { comment: "//", quotes: "\"", words: RUST },
        "c" | "h" | "cpp" | "c++" | "java" | "kotlin" | "swift" | "cs" | "csharp" | "scala" => {
            Rules { comment: "//", quotes: "\"", words: C }
        }
        "go" => Rules { comment: "//", quotes: "\"`", words: C },
        "js" | "javascript" | "jsx" | "ts" | "typescript" | "tsx" => {
            Rules { comment: "//", quotes: "\"'`", words: C }
        }
        "python" | "py" | "ruby" | "rb" => Rules { comment: "#", quotes: "\"'", words: PYTHON },
        "sh" | "bash" | "shell" | "zsh" | "fish" => Rules { comment: "#", quotes: "\"'", words: SHELL },
        "toml" | "yaml" | "yml" | "ini" | "dockerfile" | "make" | "makefile" => {
            Rules { comment: "#", quotes: "\"'", words: &["true", "false", "null"] }
        }
        "json" | "jsonc" => Rules { comment: "//", quotes: "\"", words: &["true", "false", "null"] },
        "sql" | "lua" => Rules { comment: "--", quotes: "'\"", words: SQL },
        _ => return None,
    })
}

const RUST: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "self", "Self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
];
const C: &[&str] = &[
    "as",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "final",
    "finally",
    "for",
    "from",
    "func",
    "function",
    "go",
    "if",
    "implements",
    "import",
    "in",
    "interface",
    "let",
    "map",
    "namespace",
    "new",
    "nil",
    "null",
    "of",
    "package",
    "private",
    "public",
    "range",
    "return",
    "static",
    "struct",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "using",
    "var",
    "void",
    "while",
    "yield",
];
const PYTHON: &[&str] = &[
    "and", "as", "async", "await", "begin", "break", "class", "continue", "def", "del", "do", "elif", "else",
    "end", "except", "False", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "module", "nil", "None", "not", "or", "pass", "raise", "require", "return", "self", "then", "True",
    "try", "unless", "while", "with", "yield",
];
const SHELL: &[&str] = &[
    "case", "do", "done", "elif", "else", "esac", "exit", "export", "fi", "for", "function", "if", "in",
    "local", "return", "set", "then", "until", "while",
];
const SQL: &[&str] = &[
    "AND", "AS", "BY", "CREATE", "DELETE", "DESC", "end", "FROM", "function", "GROUP", "if", "IN", "INSERT",
    "INTO", "JOIN", "LIMIT", "local", "NOT", "NULL", "ON", "OR", "ORDER", "return", "SELECT", "SET", "TABLE",
    "then", "UPDATE", "VALUES", "WHERE",
];

fn coloured(text: &str, rules: Rules) -> Line {
    let mut line = Line::blank();
    let mut rest = text;
    let mut before = ' ';
    while let Some(letter) = rest.chars().next() {
        let comment = rest.starts_with(rules.comment) && (rules.comment != "#" || before.is_whitespace());
        let (length, style) = if comment {
            (rest.len(), DIM)
        } else if rules.quotes.contains(letter) {
            (string_length(rest, letter), STRING)
        } else if letter.is_alphanumeric() || letter == '_' {
            let length =
                rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
            let word = rest.get(..length).unwrap_or_default();
            (length, if rules.words.contains(&word) { WORD } else { PLAIN })
        } else {
            (letter.len_utf8(), PLAIN)
        };
        let (part, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        line.add(part, style);
        before = part.chars().next_back().unwrap_or(' ');
        rest = behind;
    }
    line
}

/// Length of the string that begins here; one that has no end on the line is only its quote.
fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    quote.len_utf8()
}
