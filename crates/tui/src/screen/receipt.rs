//! The receipt of a turn: one rule that says what the turn took.

use std::time::Duration;

use throughline_text::counted;

use crate::calls::{plus_minus, whole_seconds};
use crate::layout::width;
use crate::line::{DIM, Line};
use crate::port::TurnCost;
use crate::status::dollars_in_line;
use crate::turn::{EndedTurn, Outcome, TurnWork};

/// Turns without a call that are shorter have none.
const SHORT: Duration = Duration::from_secs(3);

/// The receipt, if the turn made a call, took its time, or did not come to its end. A compaction has a notice instead.
pub(super) fn receipt(ended: &EndedTurn, cost: TurnCost, columns: usize) -> Option<Line> {
    let TurnWork { took, answers, calls: work, compacted } = ended.work.as_ref()?;
    let completed = ended.outcome == Outcome::Completed;
    // A command that the user runs is no turn.
    let is_turn = !compacted && *answers > 0;
    if completed && (!is_turn || (work.calls + work.searches == 0 && *took < SHORT)) {
        return None;
    }
    let took = whole_seconds(*took);
    let mut facts = vec![Line::styled(
        match ended.outcome {
            Outcome::Completed => took,
            Outcome::Failed => format!("failed after {took}"),
            Outcome::Interrupted => format!("stopped after {took}"),
        },
        DIM,
    )];
    if work.calls > 0 {
        let mut text = counted(work.calls as u64, "call");
        for (count, what) in [(work.failed, "failed"), (work.refused, "refused")] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        facts.push(Line::styled(text, DIM));
    }
    if work.searches > 0 {
        facts.push(Line::styled(counted(work.searches as u64, "search"), DIM));
    }
    let files = work.files.len().max(work.reported.len());
    if files > 0 {
        // The lines that commands changed are not counted.
        let lines = match files == work.files.len() {
            true => format!(" {}", plus_minus(work.plus, work.minus).text()),
            false => String::new(),
        };
        facts.push(Line::styled(format!("{}{lines}", counted(files as u64, "file")), DIM));
    }
    facts.extend(cost.dollars.map(|dollars| Line::styled(dollars_in_line(dollars, cost.at_least), DIM)));
    facts.extend(cost.cached_percent.map(|percent| Line::styled(format!("{percent}% cached"), DIM)));
    Some(ruled(facts, columns))
}

/// What ends a receipt. A rule to the edge would break into two rows when the terminal becomes narrower.
const END: &str = " ──";

/// Facts on a short rule. Where there is too little room, the last ones are left out.
fn ruled(mut facts: Vec<Line>, columns: usize) -> Line {
    loop {
        let mut line = Line::styled("── ", DIM);
        for (index, fact) in facts.iter().enumerate() {
            if index > 0 {
                line.add(" · ", DIM);
            }
            line.append(fact.clone());
        }
        let fits = line.width() + width(END) <= columns;
        if fits || facts.len() <= 1 {
            return if fits { line.then(END, DIM) } else { line };
        }
        facts.pop();
    }
}

#[cfg(test)]
mod tests;
