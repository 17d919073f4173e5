//! Deletes a turn permanently, with everything derived from it.

use anyhow::bail;
use throughline::{SessionLog, SessionWriter};
use throughline_agent::Deleted;
use throughline_continuity::SessionDirectory;
use throughline_conversation::{ExchangeId, GroupStatus, Mark, Record, RecordBody, Source};
use throughline_groups::{Change, mark};
use throughline_memory::{NoteRepository, Removal};

use super::confirm::confirm;
use super::outcome;
use crate::answer::Answer;
use crate::target::CommandTarget;
use crate::terminal::{headline, plain};

/// Characters of a session's title, as `run` makes it.
const TITLE: usize = 120;

/// Deletes a turn, by default the newest one in view, and reports what was deleted with it.
pub(crate) async fn remove(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    group: Option<ExchangeId>,
    yes: bool,
) -> anyhow::Result<Answer> {
    let _lock = target.handle.lock(writer)?;
    let log = target.handle.log().await?;
    let group = match group {
        Some(group) => group,
        None => newest(&log)?,
    };
    // What cannot be done is refused before anything is asked or deleted.
    mark(&log.records, Change::Remove(group))?;
    let name = outcome::named(group, &log.groups());
    if !yes && target.on_screen {
        let again = target.command("messages remove", &format!("{group} --yes"));
        bail!("nothing deleted: this would permanently delete {name}; to confirm, write: {again}");
    }
    if !yes {
        confirm(&format!("{name} of session {}", target.handle.session))?;
    }
    // The log comes last: while it names the group, asking again finds everything that is left.
    let memos = target
        .handle
        .storage
        .store
        .notes()
        .remove(&Removal::Exchange(target.handle.session.clone(), group))
        .await?;
    let title = retitle(target, &log, group).await?;
    let changed = target.handle.change(writer, Change::Remove(group)).await?;
    let deleted = changed.deleted.unwrap_or_default();
    let folded = target.handle.storage.store.checkpoint().await?;

    let mut lines = vec![format!("Deleted {name} permanently: {}.", went(&deleted, memos.len()))];
    lines.extend(title.as_ref().map(|title| match title.as_str() {
        "" => "The session's title came from it and is empty now.".to_owned(),
        title => format!("The session's title came from it and is now {title:?}."),
    }));
    lines.extend(quoting(&deleted));
    lines.push(outcome::sizes(&log.view, &changed.view));
    lines.push("This cannot be undone.".to_owned());
    if !folded {
        let again = target.command("messages remove", &format!("{group} --yes"));
        lines.push(format!(
            "Another program has the database open, so its write-ahead log may still hold deleted bytes; run again later: {again}"
        ));
    }
    let json = serde_json::json!({
        "told": lines,
        "group": group,
        "records": deleted.records,
        "results": deleted.results,
        "memos": memos.len(),
        "repeated_in": deleted.repeated_in,
        "title": title,
        "overwritten": folded,
    });
    Ok(Answer { text: plain(&lines.join("\n")), json })
}

/// The turn that an undo would hide.
fn newest(log: &SessionLog) -> anyhow::Result<ExchangeId> {
    match mark(&log.records, Change::Undo)? {
        Mark::Group { exchange, .. } => Ok(exchange),
        _ => anyhow::bail!("there is no turn to delete"),
    }
}

fn went(deleted: &Deleted, memos: usize) -> String {
    let count = |number: usize, one: &str, more: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{number} {more}"),
    };
    format!(
        "{}, {} and {}",
        count(deleted.records, "record", "records"),
        count(deleted.results, "stored result", "stored results"),
        count(memos, "memo", "memos"),
    )
}

/// Names the turns that quote what was deleted.
fn quoting(deleted: &Deleted) -> Option<String> {
    let groups: Vec<String> = deleted.repeated_in.iter().map(ToString::to_string).collect();
    (!groups.is_empty()).then(|| {
        format!("Other turns quote a deleted result and keep the quote: turn {}.", groups.join(", "))
    })
}

/// Gives the session another title when the one that it has was made from the group. The new title, if there is one.
async fn retitle(
    target: &CommandTarget,
    log: &SessionLog,
    group: ExchangeId,
) -> anyhow::Result<Option<String>> {
    let sessions = target.handle.storage.store.sessions();
    let Some(info) = sessions.get(&target.handle.session).await? else { return Ok(None) };
    let stem = info.title.trim_end_matches('…');
    let own = || log.records.iter().filter(|record| record.exchange == group).filter_map(asked);
    if stem.is_empty() || !own().any(|text| plain(&text).contains(stem)) {
        return Ok(None);
    }
    let other = log.records.iter().find_map(|record| {
        let live = log.view.groups().status(record.exchange) == GroupStatus::Live;
        if live && record.exchange != group { asked(record) } else { None }
    });
    let title = headline(&other.unwrap_or_default(), TITLE);
    sessions.rename(&target.handle.session, &title).await?;
    Ok(Some(title))
}

/// What the user said in a record.
fn asked(record: &Record) -> Option<String> {
    match &record.body {
        RecordBody::Message(said) if said.source == Source::User => Some(said.message.text()),
        _ => None,
    }
}
