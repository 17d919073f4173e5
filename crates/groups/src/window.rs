//! The window: only the newest groups are shown.

use throughline_conversation::{Action, Edit, EditReason, EntryKind, Span, View};

/// The edit that hides what the window does not show any more; `None`: nothing is to be hidden.
///
/// Summaries stay: they are what is left of earlier groups. Nothing of an exchange is hidden in part.
#[must_use]
pub fn window_edit(view: &View) -> Option<Edit> {
    let oldest = view.groups().oldest_shown(view.exchange())?;
    let mut spans: Vec<Span> = Vec::new();
    let mut open = false;
    for entry in view.native() {
        let hides = entry.kind != EntryKind::Summary && entry.exchange < oldest;
        match spans.last_mut().filter(|_| open && hides) {
            Some(span) => span.last = entry.span.last,
            None if hides => spans.push(entry.span),
            None => {}
        }
        open = hides;
    }
    if spans.is_empty() {
        return None;
    }
    let actions = spans.into_iter().map(|span| Action::Cover { span, summary: None, note: None }).collect();
    Some(Edit { reason: EditReason::Window, actions, strategies: vec!["window".to_owned()] })
}
