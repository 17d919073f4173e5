//! `throughline undo`, `redo` and every other change of what is shown of a session.

pub(crate) mod args;
mod confirm;
mod remove;
mod told;

use throughline_groups::Change;

use crate::desk::{Answer, Desk, Hand};

pub(crate) use confirm::confirm;
pub(crate) use remove::remove;

/// Makes a change that can be taken back, and tells what it did.
pub(crate) async fn change(desk: &Desk, hand: &mut Hand<'_>, change: Change) -> anyhow::Result<Answer> {
    let _lock = desk.lock(hand)?;
    let before = desk.log().await?;
    let changed = desk.change(hand, change).await?;
    let after = desk.log().await?;
    let mut lines = vec![told::what(&changed.mark, change, &before.groups())];
    if let Some(line) = told::documents(&before.view, &after.view) {
        lines.push(line);
    }
    lines.push(told::sizes(&before.view, &after.view));
    lines.push(told::way_back(change, &changed.mark, &before.view, desk));
    let mut answer = Answer::told(&lines);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("mark".to_owned(), serde_json::to_value(&changed.mark)?);
    }
    Ok(answer)
}
