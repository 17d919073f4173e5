//! The window as a bar, by component.

use throughline_conversation::{FigureSource, WindowFigures, group_thousands};

use crate::terminal::Style;

/// A component, its letter on the bar and its colour.
const PARTS: [(&str, char, &str); 4] =
    [("system", 'S', "34"), ("skills", 'K', "35"), ("tools", 'T', "33"), ("conversation", '█', "32")];

/// One line: the bar, how full the window is, and what fills it.
pub(crate) fn line(figures: &WindowFigures, cells: usize, style: Style) -> String {
    let effective = figures.total.saturating_sub(figures.reserved_output).max(1);
    let tokens = [figures.used.system, figures.used.skills, figures.used.tools, figures.used.conversation];
    let mut bar = String::new();
    let (mut sum, mut drawn) = (0_u64, 0_usize);
    for ((_, letter, colour), tokens) in PARTS.iter().zip(tokens) {
        sum = sum.saturating_add(tokens);
        // Ends are rounded, not lengths: the parts always add up to the whole.
        let end =
            usize::try_from(sum.saturating_mul(cells as u64).div_ceil(effective)).unwrap_or(cells).min(cells);
        let part: String = std::iter::repeat_n(*letter, end.saturating_sub(drawn)).collect();
        bar.push_str(&style.paint(colour, &part));
        drawn = drawn.max(end);
    }
    let free: String = std::iter::repeat_n('·', cells - drawn).collect();
    let percent = figures.used.total().saturating_mul(100) / effective;
    let about = match figures.source {
        FigureSource::Exact => "",
        FigureSource::Anchored | FigureSource::Estimated => "~",
    };
    let names: Vec<String> = PARTS
        .iter()
        .zip(tokens)
        .filter(|(_, tokens)| *tokens > 0)
        .map(|((name, _, _), tokens)| format!("{name} {}", group_thousands(tokens)))
        .collect();
    format!(
        "▕{bar}{}▏ {percent:>3}%  {about}{}  ({})",
        style.dim(&free),
        group_thousands(figures.used.total()),
        names.join(", ")
    )
}
