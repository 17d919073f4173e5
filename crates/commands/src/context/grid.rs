//! The window as a grid: a hundred cells, each a hundredth of it.

use throughline_conversation::WindowFigures;
use throughline_terminal::Style;

const ROWS: usize = 5;
const COLUMNS: usize = 20;

/// Names in a row of the legend, so that it fits a narrow terminal.
const NAMES: usize = 3;

/// The parts of the window: letter, colour and name.
const PARTS: [(char, &str, &str); 6] = [
    ('S', "34", "system prompt"),
    ('K', "35", "skills"),
    ('T', "33", "tools"),
    ('█', "32", "conversation"),
    ('·', "2", "free"),
    ('░', "2", "reserved for output"),
];

/// The grid, with its legend below.
pub(super) fn grid(window: &WindowFigures, style: Style) -> Vec<String> {
    let cells = cells(window);
    let drawn =
        |part: &usize| PARTS.get(*part).map(|(letter, colour, _)| style.paint(colour, &letter.to_string()));
    let rows = cells.chunks(COLUMNS);
    let rows = rows.map(|row| format!("  {}", row.iter().filter_map(drawn).collect::<Vec<_>>().join(" ")));
    let named = |(letter, colour, name): &(char, &str, &str)| {
        format!("{} {name}", style.paint(colour, &letter.to_string()))
    };
    let legend = PARTS.chunks(NAMES).map(|parts| parts.iter().map(named).collect::<Vec<_>>().join("   "));
    rows.chain(legend.map(|names| format!("  {names}"))).collect()
}

/// The part that each cell belongs to. A part with any tokens has a cell, at the expense of the free part.
fn cells(window: &WindowFigures) -> Vec<usize> {
    let all = ROWS * COLUMNS;
    let used = window.used;
    let total = window.total.max(1);
    let share = |tokens: u64| {
        let cells = tokens.saturating_mul(all as u64).saturating_add(total / 2) / total;
        usize::try_from(cells.max(u64::from(tokens > 0))).unwrap_or(all)
    };
    let mut cells = Vec::with_capacity(all);
    for (part, tokens) in [used.system, used.skills, used.tools, used.conversation].into_iter().enumerate() {
        cells.extend(std::iter::repeat_n(part, share(tokens)));
    }
    let reserved = share(window.reserved_output).min(all);
    cells.truncate(all);
    let free = all.saturating_sub(cells.len()).saturating_sub(reserved);
    cells.extend(std::iter::repeat_n(4, free));
    let rest = all.saturating_sub(cells.len());
    cells.extend(std::iter::repeat_n(5, rest));
    cells
}

#[cfg(test)]
mod tests;
