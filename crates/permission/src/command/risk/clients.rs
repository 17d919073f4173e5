//! Texts for the clients of databases: commands of the client itself run programs and write files.

/// What these commands begin with, for each client.
const COMMANDS: [(&str, char); 5] =
    [("sqlite3", '.'), ("psql", '\\'), ("mysql", '\\'), ("mariadb", '\\'), ("pgcli", '\\')];

/// Statements and functions that write files or run programs, in lower case.
const STATEMENTS: [&str; 11] = [
    "attach",
    "copy",
    "edit(",
    "into",
    "load_extension",
    "lo_export",
    "outfile",
    "program",
    "source ",
    "system",
    "writefile",
];

/// Returns true if a program is one of these clients.
pub(super) fn knows(program: &str) -> bool {
    COMMANDS.iter().any(|(client, _)| *client == program)
}

/// The words of a client's command line that hold such a text.
pub(super) fn risks<'a>(name: &str, words: &'a [String]) -> Vec<&'a str> {
    let Some((_, sign)) = COMMANDS.iter().find(|(client, _)| *client == name) else { return Vec::new() };
    let is_command = |word: &str| match sign {
        // A dot begins a command where a line begins.
        '.' => word.lines().any(|line| line.trim_start().starts_with('.')),
        sign => word.contains(*sign),
    };
    let runs = |word: &&str| {
        let lower = word.to_ascii_lowercase();
        is_command(word) || STATEMENTS.iter().any(|statement| lower.contains(statement))
    };
    words.iter().map(String::as_str).filter(runs).collect()
}
