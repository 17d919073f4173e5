//! The window as a grid: a hundred cells, each a hundredth of it.

use throughline_conversation::WindowFigures;

use crate::terminal::Style;

const ROWS: usize = 5;
const COLUMNS: usize = 20;

/// What a cell stands for: its letter, its colour and its name.
const PARTS: [(char, &str, &str); 6] = [
    ('S', "34", "system prompt"),
    ('K', "35", "skills"),
    ('T', "33", "tools"),
    ('█', "32", "conversation"),
    ('·', "2", "free"),
    ('░', "2", "kept for the answer"),
];

/// The grid, with its legend beside it.
pub(super) fn grid(window: &WindowFigures, style: Style) -> Vec<String> {
    let cells = cells(window);
    let legend: Vec<String> = PARTS
        .iter()
        .map(|(letter, colour, name)| format!("{} {name}", style.paint(colour, &letter.to_string())))
        .collect();
    let rows = cells.chunks(COLUMNS).enumerate().map(|(row, cells)| {
        let drawn: Vec<String> = cells
            .iter()
            .filter_map(|part| PARTS.get(*part))
            .map(|(letter, colour, _)| style.paint(colour, &letter.to_string()))
            .collect();
        // Six names beside five rows: the last row has two.
        let last = row + 1 == ROWS;
        let names: Vec<&str> =
            legend.iter().skip(row).take(if last { 2 } else { 1 }).map(String::as_str).collect();
        format!("  {}   {}", drawn.join(" "), names.join("   "))
    });
    rows.collect()
}

/// Which part each cell belongs to. A part that has any tokens has a cell; what is free gives them up.
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
    let kept = share(window.reserved_output).min(all);
    cells.truncate(all);
    let free = all.saturating_sub(cells.len()).saturating_sub(kept);
    cells.extend(std::iter::repeat_n(4, free));
    let kept = all.saturating_sub(cells.len());
    cells.extend(std::iter::repeat_n(5, kept));
    cells
}

#[cfg(test)]
mod tests {
    use throughline_conversation::{Components, FigureSource};

    use super::*;

    fn window(system: u64, skills: u64, tools: u64, conversation: u64) -> WindowFigures {
        WindowFigures {
            total: 100_000,
            reserved_output: 10_000,
            used: Components { system, skills, tools, conversation },
            source: FigureSource::Exact,
        }
    }

    #[test]
    fn a_hundred_cells_whatever_fills_the_window() {
        for (figures, counts) in [
            (window(5_000, 0, 7_000, 43_000), [5, 0, 7, 43, 35, 10]),
            (window(1, 1, 1, 1), [1, 1, 1, 1, 86, 10]),
            (window(0, 0, 0, 0), [0, 0, 0, 0, 90, 10]),
            (window(0, 0, 0, 200_000), [0, 0, 0, 100, 0, 0]),
            (window(3_000, 0, 0, 92_000), [3, 0, 0, 92, 0, 5]),
        ] {
            let cells = cells(&figures);
            let counted: Vec<usize> =
                (0..6).map(|part| cells.iter().filter(|cell| **cell == part).count()).collect();
            assert_eq!(counted, counts, "{figures:?}");
        }
    }

    #[test]
    fn the_grid_has_its_legend_beside_it() {
        let drawn = grid(&window(5_000, 0, 15_000, 43_000), Style::with_colour(false));
        assert_eq!(drawn.len(), 5);
        assert_eq!(drawn[0], "  S S S S S T T T T T T T T T T T T T T T   S system prompt");
        assert_eq!(drawn[4], "  · · · · · · · · · · ░ ░ ░ ░ ░ ░ ░ ░ ░ ░   · free   ░ kept for the answer");
    }
}
