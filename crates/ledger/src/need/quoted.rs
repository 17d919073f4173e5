//! The lines that an edit quotes.

use throughline_conversation::ToolCall;

use super::text::strings;

/// Shorter lines, as `}` or `return x;`, are found anywhere by chance.
const SHORTEST_LINE: usize = 16;

/// Lines of one call that are looked for; a patch of a whole file is one event, not a thousand.
const MOST_LINES: usize = 12;

/// The first lines of a text, or cells of a table's rows, that are long enough to be found nowhere by chance, without their
/// margins.
pub(crate) fn telling_lines(text: &str) -> impl Iterator<Item = &str> {
    let cells = text.lines().flat_map(|line| line.split(" | "));
    cells.map(str::trim).filter(|line| line.len() >= SHORTEST_LINE).take(MOST_LINES)
}

/// Keys under which edits quote the text that they replace.
const QUOTES: [&str; 6] = ["old_string", "oldString", "old_str", "old_text", "oldText", "search"];

/// The lines that an edit quotes from the file, without their margins, each once.
pub(super) fn quoted(call: &ToolCall) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut take = |line: &str| {
        let line = line.trim();
        if line.len() >= SHORTEST_LINE && lines.len() < MOST_LINES && !lines.iter().any(|other| other == line)
        {
            lines.push(line.to_owned());
        }
    };
    strings(&call.input, &mut |key, text| {
        if key.is_some_and(|key| QUOTES.contains(&key)) {
            text.lines().for_each(&mut take);
        } else if text.contains("*** Begin Patch") {
            // Context and removed lines of a patch; what it adds is new.
            text.lines().filter_map(|line| line.strip_prefix([' ', '-'])).for_each(&mut take);
        }
    });
    lines
}
