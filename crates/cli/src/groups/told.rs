//! What a change has done, and how to take it back, in a few lines.

use throughline_conversation::{ExchangeId, Mark, View};
use throughline_groups::{Change, Group};
use throughline_text::group_thousands;

use crate::target::CommandTarget;
use crate::terminal::headline;

/// What was changed.
pub(super) fn what(mark: &Mark, change: Change, groups: &[Group]) -> String {
    match (mark, change) {
        (Mark::Group { exchange, .. }, Change::Undo) => {
            format!("{} is taken back.", named(*exchange, groups))
        }
        (Mark::Group { exchange, .. }, Change::Drop(_)) => {
            format!("{} is hidden from the model; what it did to documents stays.", named(*exchange, groups))
        }
        (Mark::Group { exchange, .. }, _) => format!("{} is shown again.", named(*exchange, groups)),
        (Mark::Compaction { edit, undone: true }, _) => {
            format!(
                "The compaction of record {edit} is taken back; the next request compacts anew if it has to."
            )
        }
        (Mark::Compaction { edit, undone: false }, _) => {
            format!("The compaction of record {edit} counts again.")
        }
        (Mark::Window { groups: None }, _) => "The model sees all groups.".to_owned(),
        (Mark::Window { groups: Some(1) }, _) => "The model sees the newest group only.".to_owned(),
        (Mark::Window { groups: Some(most) }, _) => format!("The model sees the newest {most} groups."),
    }
}

/// A group by its number and its request.
pub(super) fn named(exchange: ExchangeId, groups: &[Group]) -> String {
    let request = groups.iter().find(|group| group.id == exchange).map(|group| group.request.as_str());
    match request.filter(|request| !request.is_empty()) {
        Some(request) => format!("Group {exchange} ({:?})", headline(request, 60)),
        None => format!("Group {exchange}"),
    }
}

/// Which documents have another text now.
pub(super) fn documents(before: &View, after: &View) -> Option<String> {
    use throughline_conversation::DocumentName::{Scratchpad, State};
    let differs = [State, Scratchpad]
        .into_iter()
        .filter(|name| before.documents().text(*name) != after.documents().text(*name));
    let names: Vec<String> = differs.map(|name| name.to_string()).collect();
    (!names.is_empty()).then(|| format!("Changed with it: {}.", names.join(" and ")))
}

/// How large the conversation was and is.
pub(super) fn sizes(before: &View, after: &View) -> String {
    let number = |count: usize| group_thousands(count as u64);
    format!(
        "In view: {} → {} messages, {} → {} tokens (estimated).",
        number(before.entries().len()),
        number(after.entries().len()),
        group_thousands(before.tokens()),
        group_thousands(after.tokens()),
    )
}

/// How to take the change back.
pub(super) fn way_back(change: Change, mark: &Mark, before: &View, target: &CommandTarget) -> String {
    let exchange = match mark {
        Mark::Group { exchange, .. } => *exchange,
        _ => ExchangeId(0),
    };
    let command = match change {
        Change::Undo => target.command("redo", ""),
        Change::Redo => target.command("undo", ""),
        Change::UndoCompaction => target.command("redo", "--compaction"),
        Change::RedoCompaction => target.command("undo", "--compaction"),
        Change::Drop(_) => target.command("context", &format!("restore {exchange}")),
        Change::Restore(_) => target.command("context", &format!("drop {exchange}")),
        Change::Window(_) => {
            let old = before.groups().window().unwrap_or(0);
            target.command("context", &format!("window {old}"))
        }
        Change::Remove(_) => return "It cannot be brought back.".to_owned(),
    };
    format!("To take this back: {command}")
}
