//! Cells of the grid and its legend.

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
fn the_grid_has_its_legend_below_and_fits_a_narrow_terminal() {
    let drawn = grid(&window(5_000, 0, 15_000, 43_000), Style::with_colour(false));
    assert_eq!(drawn.len(), 7);
    assert_eq!(drawn[0], "  S S S S S T T T T T T T T T T T T T T T");
    assert_eq!(drawn[4], "  · · · · · · · · · · ░ ░ ░ ░ ░ ░ ░ ░ ░ ░");
    assert_eq!(drawn[5], "  S system prompt   K skills   T tools");
    assert_eq!(drawn[6], "  █ conversation   · free   ░ reserved for output");
    assert!(drawn.iter().all(|row| row.chars().count() <= 50), "{drawn:?}");
}
