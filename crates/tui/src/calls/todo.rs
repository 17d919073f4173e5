//! The items of a checklist, as the model has written it.

use serde_json::Value;

use crate::clean::visible;
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::palette::{ACCENT, GOOD};

/// The tool that writes the checklist.
pub(crate) const CHECKLIST: &str = "update_checklist";

/// How far an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Done,
    Current,
    Later,
}

/// An item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Todo {
    pub(crate) text: String,
    state: State,
}

impl Todo {
    pub(crate) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    pub(crate) fn is_current(&self) -> bool {
        self.state == State::Current
    }

    /// The item with its mark.
    pub(crate) fn line(&self) -> Line {
        match self.state {
            State::Done => Line::styled("✓ ", PLAIN.fg(GOOD)).then(&self.text, DIM),
            State::Current => Line::styled("▸ ", PLAIN.fg(ACCENT)).then(&self.text, BOLD),
            State::Later => Line::styled("○ ", DIM).then(&self.text, PLAIN),
        }
    }
}

/// The items of a checklist. Empty: it is no checklist.
pub(crate) fn todo_items(input: &Value) -> Vec<Todo> {
    let items = input.get("items").and_then(Value::as_array).into_iter().flatten();
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
    let item = |item: &Value| {
        let state = match text(item, "status")?.as_str() {
            "completed" => State::Done,
            "in_progress" => State::Current,
            _ => State::Later,
        };
        let text = visible(&text(item, "description")?).replace('\n', " ");
        Some(Todo { text, state })
    };
    items.filter_map(item).collect()
}

/// A checklist in a few words: what is worked on, or was done last, and how many are done.
pub(crate) fn todo_summary(items: &[Todo]) -> (String, String) {
    let done = items.iter().filter(|item| item.is_done()).count();
    let newest =
        items.iter().find(|item| item.is_current()).or_else(|| items.iter().rfind(|item| item.is_done()));
    let text = newest.or(items.first()).map(|item| item.text.clone()).unwrap_or_default();
    (text, format!("{done} of {} done", items.len()))
}
