//! Deletes a turn permanently, with everything derived from it.

use anyhow::bail;
use throughline_agent::Deletion;
use throughline_conversation::ExchangeId;
use throughline_groups::removal;
use throughline_stored::SessionWriter;
use throughline_terminal::confirm;
use throughline_text::plain;

use super::outcome;
use crate::answer::Answer;
use crate::target::CommandTarget;

/// Deletes a turn, by default the newest one in view, and reports what was deleted with it.
pub(crate) async fn remove(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    group: Option<ExchangeId>,
    yes: bool,
) -> anyhow::Result<Answer> {
    let _lock = target.handle.lock(writer).await?;
    let log = target.handle.log().await?;
    let group = match group {
        Some(group) => group,
        None => log.undone_turn()?,
    };
    // What cannot be done is refused before anything is asked or deleted.
    removal(&log.records, group)?;
    let name = outcome::named(group, &log.groups());
    if !yes && target.on_screen {
        let again = target.command("messages remove", &format!("{group} --yes"));
        bail!("nothing deleted: this would permanently delete {name}; to confirm, write: {again}");
    }
    if !yes {
        confirm(&format!("{name} of session {}", target.handle.session))?;
    }
    let before = target.handle.view_size(writer, &log.view).await;
    let deleted = target.handle.delete_turn(writer, group).await?;
    let after = target.handle.view_size(writer, &deleted.view).await;

    let mut lines = vec![format!("Deleted {name} permanently: {}.", went(&deleted))];
    lines.extend(deleted.title.as_ref().map(|title| match title.as_str() {
        "" => "The session's title came from it and is empty now.".to_owned(),
        title => format!("The session's title came from it and is now {title:?}."),
    }));
    lines.extend(quoting(&deleted));
    lines.push(outcome::sizes(before, after));
    lines.push("This cannot be undone.".to_owned());
    let json = serde_json::json!({
        "lines": lines,
        "group": group,
        "records": deleted.records,
        "results": deleted.results,
        "memos": deleted.memos,
        "repeated_in": deleted.repeated_in,
        "title": deleted.title,
    });
    Ok(Answer { text: plain(&lines.join("\n")), json })
}

fn went(deleted: &Deletion) -> String {
    let count = |number: usize, one: &str, more: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{number} {more}"),
    };
    format!(
        "{}, {} and {}",
        count(deleted.records, "record", "records"),
        count(deleted.results, "stored result", "stored results"),
        count(deleted.memos, "memo", "memos"),
    )
}

/// Names the turns that quote what was deleted.
fn quoting(deleted: &Deletion) -> Option<String> {
    let groups: Vec<String> = deleted.repeated_in.iter().map(ToString::to_string).collect();
    (!groups.is_empty()).then(|| {
        format!("Other turns quote a deleted result and keep the quote: turn {}.", groups.join(", "))
    })
}
