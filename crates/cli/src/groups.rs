//! `throughline undo`, `redo` and every other change of what is shown of a session.

pub(crate) mod args;
mod confirm;
mod outcome;
mod remove;

use crate::answer::Answer;
use crate::target::CommandTarget;
use throughline::SessionWriter;
use throughline_groups::Change;

pub(crate) use confirm::confirm;
pub(crate) use remove::remove;

/// Makes a change that can be undone, and reports what it did.
pub(crate) async fn change(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    change: Change,
) -> anyhow::Result<Answer> {
    let _lock = target.handle.lock(writer)?;
    let before = target.handle.log().await?;
    let changed = target.handle.change(writer, change).await?;
    let after = target.handle.log().await?;
    let mut lines = vec![outcome::changed(&changed.mark, change, &before.groups())];
    if let Some(line) = outcome::documents(&before.view, &after.view) {
        lines.push(line);
    }
    lines.push(outcome::sizes(&before.view, &after.view));
    lines.push(outcome::revert(change, &changed.mark, &before.view, target));
    let mut answer = Answer::lines(&lines);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("mark".to_owned(), serde_json::to_value(&changed.mark)?);
    }
    Ok(answer)
}
