//! What a change did and how to revert it, in a few lines.

use throughline_conversation::{DroppedItem, ExchangeId, Mark, Pin, Record, View};
use throughline_groups::{Change, Group};
use throughline_history::row_id;
use throughline_stored::ViewSize;
use throughline_text::{group_thousands, headline};

use crate::pins;
use crate::target::CommandTarget;

/// The change itself.
pub(crate) fn changed(mark: &Mark, change: Change, groups: &[Group]) -> String {
    match (mark, change) {
        (Mark::Group { exchange, .. }, Change::Undo) => {
            format!("Undid {}.", named(*exchange, groups))
        }
        (Mark::Group { exchange, .. }, Change::Drop(_)) => {
            format!("Hid {} from the model. Its changes to documents were kept.", named(*exchange, groups))
        }
        (Mark::Group { exchange, .. }, _) => format!("Restored {}.", named(*exchange, groups)),
        (Mark::Compaction { undone: true, .. }, _) => {
            "Undid the compaction. The next request compacts again if it has to.".to_owned()
        }
        (Mark::Compaction { undone: false, .. }, _) => "Restored the compaction.".to_owned(),
        (Mark::Window { groups: None }, _) => "The window hides no turn.".to_owned(),
        (Mark::Window { groups: Some(1) }, _) => "The window is the newest turn.".to_owned(),
        (Mark::Window { groups: Some(most) }, _) => format!("The window is the newest {most} turns."),
        (Mark::Pin(pin), _) => pinned(pin, groups),
        (Mark::Item(dropped), _) => {
            item(&Mark::Item(dropped.clone()), row_id(dropped.message, dropped.part).unwrap_or_default())
        }
        (Mark::Unpin { number }, _) => format!("Removed pin {number}."),
    }
}

/// A dropped or restored item.
pub(super) fn item(mark: &Mark, id: i64) -> String {
    match mark {
        Mark::Item(DroppedItem { shown: Some(_), stored: Some(stored), .. }) => {
            format!("Hid result {id} from the model, which can read it as {stored}.")
        }
        Mark::Item(DroppedItem { shown: Some(_), .. }) => format!("Hid picture {id} from the model."),
        _ => format!("Restored {id}."),
    }
}

/// A new pin.
pub(crate) fn pinned(pin: &Pin, groups: &[Group]) -> String {
    let texts = match pin.texts.len() {
        1 => "1 text".to_owned(),
        count => format!("{count} texts"),
    };
    format!("Pinned {texts} of {}: pin {}.", named(pin.exchange, groups), pin.number)
}

/// A turn by its number and its request.
pub(super) fn named(exchange: ExchangeId, groups: &[Group]) -> String {
    let request = groups.iter().find(|group| group.id == exchange).map(|group| group.request.as_str());
    match request.filter(|request| !request.is_empty()) {
        Some(request) => format!("turn {exchange} ({:?})", headline(request, 60)),
        None => format!("turn {exchange}"),
    }
}

/// The documents that the change affected.
pub(super) fn documents(before: &View, after: &View) -> Option<String> {
    use throughline_conversation::DocumentName::{Scratchpad, State};
    let differs = [State, Scratchpad]
        .into_iter()
        .filter(|name| before.documents().text(*name) != after.documents().text(*name));
    let names: Vec<String> = differs.map(|name| name.to_string()).collect();
    (!names.is_empty()).then(|| format!("Also changed: {}.", names.join(" and ")))
}

/// The size of the conversation before and after.
pub(crate) fn sizes(before: ViewSize, after: ViewSize) -> String {
    format!(
        "In view: {} → {} messages, {} → {} tokens of the conversation (estimated).",
        group_thousands(before.messages),
        group_thousands(after.messages),
        group_thousands(before.tokens),
        group_thousands(after.tokens),
    )
}

/// The command that reverts the change; `None`: it changed nothing. `flag` is what an undo or a redo says about files.
pub(super) fn revert(
    change: Change,
    mark: &Mark,
    before: &View,
    records: &[Record],
    target: &CommandTarget,
    flag: &str,
) -> Option<String> {
    let exchange = match mark {
        Mark::Group { exchange, .. } => *exchange,
        _ => ExchangeId(0),
    };
    let command = match change {
        Change::Undo => target.command("redo", flag),
        Change::Redo => target.command("undo", flag),
        Change::UndoCompaction => target.command("redo", "--compaction"),
        Change::RedoCompaction => target.command("undo", "--compaction"),
        Change::Drop(_) => target.command("context", &format!("restore {exchange}")),
        Change::Restore(_) => target.command("context", &format!("drop {exchange}")),
        Change::Window(new) if new == before.groups().window() => return None,
        Change::Window(_) => {
            let old = before.groups().window().unwrap_or(0);
            target.command("context", &format!("window {old}"))
        }
        Change::Unpin(number) => {
            let pin = before.groups().pins().iter().find(|pin| pin.number == number);
            target.command("pin", &pin.map(|pin| pins::as_arguments(pin, records)).unwrap_or_default())
        }
    };
    Some(format!("To revert: {command}"))
}
