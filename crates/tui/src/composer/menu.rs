//! The list of candidates below the input: commands under their groups, or paths, with the number of those that follow.

use super::completion::{Candidate, Completion, CompletionTarget};
use crate::clean::{one_row, stripped};
use crate::layout::{cut_text, width};
use crate::line::{CHOSEN, DIM, Line, PLAIN};

/// Maximum candidates on the screen.
const CANDIDATES: usize = 8;
/// Columns of the names of commands: longer ones would move what they do to the right.
pub(super) const NAMES: usize = 26;
/// Columns of the chosen row.
const CHOSEN_ROW: usize = 76;

/// The candidates in up to this many rows, the selected one among them.
pub(super) fn menu(completion: &Completion, columns: usize, room: usize) -> Vec<Line> {
    let all = &completion.candidates;
    // Headings take rows, too; a low screen has none, and no count.
    let is_low = room < 6;
    let shown = if is_low { room.min(CANDIDATES) } else { (room - 1).min(CANDIDATES) };
    let (mut from, mut lines) = ((completion.selected + 1).saturating_sub(shown), Vec::new());
    loop {
        lines.clear();
        let upto =
            rows(completion, from, shown, if is_low { room } else { room - 1 }, columns, &mut lines, is_low);
        if upto > completion.selected || from >= completion.selected {
            if !is_low {
                let place = format!("  {}–{upto} of {}", from + 1, all.len());
                lines.push(foot(&place, &completion.target, columns));
            }
            return lines;
        }
        from += 1;
    }
}

/// Adds the rows from a candidate on, with a heading before each group. Returns the candidate after the last one that fits.
fn rows(
    completion: &Completion,
    from: usize,
    most: usize,
    room: usize,
    columns: usize,
    lines: &mut Vec<Line>,
    is_low: bool,
) -> usize {
    let names =
        completion.candidates.iter().map(|candidate| width(&candidate.label)).max().unwrap_or_default();
    let names = names.min(NAMES + 2).min(columns / 2);
    let mut group = "";
    let mut at = from;
    for candidate in completion.candidates.iter().skip(from).take(most) {
        let heads = !is_low && !candidate.group.is_empty() && candidate.group != group;
        if lines.len() + 1 + usize::from(heads) > room {
            break;
        }
        if heads {
            group = &candidate.group;
            lines.push(Line::styled(format!("  {}", stripped(group).replace('\n', " ")), DIM));
        }
        lines.push(row(candidate, at == completion.selected, names, columns));
        at += 1;
    }
    at
}

fn row(candidate: &Candidate, chosen: bool, names: usize, columns: usize) -> Line {
    // What is inserted is shown with all of its letters.
    let (label, about) = (one_row(&candidate.label), stripped(&candidate.about).replace('\n', " "));
    let label = cut_text(&label, columns.saturating_sub(2));
    let free = names.saturating_sub(width(&label));
    let mark = if chosen { "› " } else { "  " };
    let (name, gap) = (format!("{mark}{label}"), format!("{}  ", " ".repeat(free)));
    if !chosen {
        return Line::plain(name).then(gap, PLAIN).then(about, DIM).without_end_spaces();
    }
    let text = cut_text(&format!("{name}{gap}{about}"), columns);
    let pad = CHOSEN_ROW.min(columns).saturating_sub(width(&text));
    Line::styled(format!("{text}{}", " ".repeat(pad)), CHOSEN)
}

/// Which of the candidates are shown, and what the keys do.
fn foot(place: &str, target: &CompletionTarget, columns: usize) -> Line {
    let keys = match target {
        CompletionTarget::Command(_) => "type to filter · tab completes · enter runs",
        CompletionTarget::Path { .. } => "type to filter · tab or enter puts it in",
    };
    Line::styled(cut_text(&format!("{place} · {keys}"), columns), DIM)
}
