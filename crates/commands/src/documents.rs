//! `throughline scratchpad` and `throughline state`: the documents of a session.

pub(crate) mod args;
mod history;

use std::io::Read;

use anyhow::{Context as _, ensure};
use serde_json::json;
use throughline_conversation::DocumentName;
use throughline_documents::{SCRATCHPAD_CAP, SCRATCHPAD_TEMPLATE, STATE_CAP, Scratchpad, TooLarge};
use throughline_stored::{SessionLog, SessionWriter};
use throughline_terminal::editor;
use throughline_text::{group_thousands, plain};

use crate::answer::Answer;
use crate::session_command::DocumentAction;
use crate::target::CommandTarget;

/// Shows or changes a document.
pub(crate) async fn document(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    name: DocumentName,
    action: &DocumentAction,
) -> anyhow::Result<Answer> {
    match action {
        DocumentAction::Show => show(target, name).await,
        DocumentAction::History { full } => history::history(target, name, *full).await,
        DocumentAction::Set(file) => {
            let text = read(file)?;
            let _lock = target.handle.lock(writer).await?;
            let log = target.handle.log().await?;
            set(target, writer, &log, name, &text).await
        }
        DocumentAction::Edit => {
            // Held while the editor is open: two writers would overwrite each other.
            let _lock = target.handle.lock(writer).await?;
            let log = target.handle.log().await?;
            let old = log.view.documents().text(name);
            let begin = match name {
                DocumentName::Scratchpad if old.is_empty() => SCRATCHPAD_TEMPLATE,
                _ => old,
            };
            let new = editor::edit(begin)?;
            // An unchanged template is not a plan.
            let new = if new == begin { old.to_owned() } else { new };
            set(target, writer, &log, name, &new).await
        }
    }
}

async fn show(target: &CommandTarget, name: DocumentName) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let documents = log.view.documents();
    let Some(revision) = documents.get(name) else {
        let text = format!("Session {} has no {name} yet.", target.handle.session);
        return Ok(Answer { text, json: json!({ "name": name, "text": "" }) });
    };
    let json = json!({
        "name": name,
        "revision": revision.seq,
        "group": revision.exchange,
        "by": history::writer(&revision.by),
        "text": revision.text,
    });
    Ok(Answer { text: plain(&revision.text), json })
}

async fn set(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    log: &SessionLog,
    name: DocumentName,
    text: &str,
) -> anyhow::Result<Answer> {
    let old = log.view.documents().text(name);
    let cap = match name {
        DocumentName::Scratchpad => SCRATCHPAD_CAP,
        DocumentName::State => STATE_CAP,
    };
    let new = Scratchpad::restored(old, cap).replace(text);
    let new = new.map_err(|refused| TooLarge { document: name, ..refused })?;
    if new.text() == old {
        return Ok(Answer::lines(&[format!("The {name} is unchanged.")]));
    }
    let revision = target.handle.write_document(writer, log, name, new.text()).await?;
    let size = group_thousands(new.text().len() as u64);
    let what = match new.text().is_empty() {
        true => format!("Cleared the {name} (revision {revision})."),
        false => format!("Saved the {name}: {size} bytes (revision {revision})."),
    };
    Ok(Answer::lines(&[
        what,
        format!("Earlier revisions: {}", target.command(name.as_str(), "history --full")),
    ]))
}

/// The text of a file, or of standard input (`-`).
pub(crate) fn read(file: &str) -> anyhow::Result<String> {
    // Far more than a document may hold.
    const MAX_BYTES: u64 = 4 * 1024 * 1024;
    let mut bytes = Vec::new();
    let done = if file == "-" {
        std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_end(&mut bytes))
    };
    let place = if file == "-" { "standard input" } else { file };
    done.with_context(|| format!("could not read the text from {place}"))?;
    ensure!(bytes.len() as u64 <= MAX_BYTES, "the text from {place} is too large for a document");
    String::from_utf8(bytes).with_context(|| format!("the text from {place} is not UTF-8"))
}
