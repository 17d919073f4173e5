//! The window as a bar, by component.

use throughline_conversation::{FigureSource, WindowFigures};
use throughline_text::group_thousands;

use crate::output::Style;

/// A component, its letter on the bar and its colour.
const PARTS: [(&str, char, &str); 4] =
    [("system", 'S', "34"), ("skills", 'K', "35"), ("tools", 'T', "33"), ("conversation", '█', "32")];

/// The legend of the bar's letters.
pub fn legend(style: Style) -> String {
    let named = |(name, letter, colour): &(&str, char, &str)| {
        format!("{} {name}", style.paint(colour, &letter.to_string()))
    };
    PARTS.iter().map(named).collect::<Vec<_>>().join("  ")
}

/// The bar and the window's use, short enough for a narrow terminal.
pub fn short(figures: &WindowFigures, cells: usize, style: Style) -> String {
    let (used, effective) = (figures.used.total(), figures.effective_window());
    let percent = percent(figures.used_percentage());
    let of = format!("{}{} of {}", about(figures), group_thousands(used), group_thousands(effective));
    format!("{} {percent:>3}%  {of}", bar(figures, cells, style))
}

/// A percentage for display: whole percents, rounded down.
pub fn percent(percentage: f64) -> u64 {
    percentage.floor() as u64
}

/// Marks a figure that is not exact.
pub fn about(figures: &WindowFigures) -> &'static str {
    match figures.source {
        FigureSource::Exact => "",
        FigureSource::Anchored | FigureSource::Estimated => "~",
    }
}

fn tokens(figures: &WindowFigures) -> [u64; 4] {
    [figures.used.system, figures.used.skills, figures.used.tools, figures.used.conversation]
}

fn bar(figures: &WindowFigures, cells: usize, style: Style) -> String {
    let effective = figures.effective_window().max(1);
    let mut bar = String::new();
    let (mut sum, mut drawn) = (0_u64, 0_usize);
    for ((_, letter, colour), tokens) in PARTS.iter().zip(tokens(figures)) {
        sum = sum.saturating_add(tokens);
        // Ends are rounded, not lengths, so that the parts add up to the whole.
        let end = sum.saturating_mul(cells as u64).div_ceil(effective);
        let end = usize::try_from(end).unwrap_or(cells).min(cells);
        let part: String = std::iter::repeat_n(*letter, end.saturating_sub(drawn)).collect();
        bar.push_str(&style.paint(colour, &part));
        drawn = drawn.max(end);
    }
    let free: String = std::iter::repeat_n('·', cells.saturating_sub(drawn)).collect();
    format!("▕{bar}{}▏", style.dim(&free))
}
