//! Changes of a stored session by name, each under its lock.

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_agent::Listeners;
use throughline_continuity::ContextSource;
use throughline_conversation::{ExchangeId, Mark, Seq};
use throughline_groups::{Change, PinTarget};
use throughline_text::nearest_name;

use crate::error::{Error, Result};
use crate::file_changes::{FileRestore, FileSide};
use crate::handle::{SessionHandle, SessionWriter};
use crate::session_context::ContextOptions;
use throughline_config::{Config, ConfigSources};

/// A change of what the model sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionAct {
    /// Hides, shows or unpins.
    Change(Change),
    /// Undoes or redoes a turn, and restores the files that it changed to what they were on that side of it.
    WithFiles(Change, FileSide),
    /// Pins a turn, or one record's part, or a span of text in it.
    Pin(PinTarget, Option<String>),
}

/// The names of the changes.
const NAMES: [&str; 9] =
    ["undo", "redo", "drop", "restore", "undo_compaction", "redo_compaction", "window", "pin", "unpin"];

impl SessionAct {
    /// Reads a change: `{"change": NAME}` with `turn`, `turns` (of the window; 0: all), `pin`, `record`, `part` or `text` as
    /// the change needs them. `files` of an undo or a redo restores files, too.
    ///
    /// # Errors
    /// The name or a field is not known, a number is missing, or `files` cannot be used.
    pub fn read(body: &Value) -> Result<Self> {
        let act = Self::read_change(body)?;
        check_fields(body)?;
        let with_files = match body.get("files") {
            None | Some(Value::Null) => return Ok(act),
            Some(Value::Bool(with_files)) => *with_files,
            Some(_) => return Err(Error::usage("`files` must be true or false")),
        };
        let sided = match &act {
            Self::Change(change) => FileSide::of_change(*change).map(|side| Self::WithFiles(*change, side)),
            _ => None,
        };
        match sided {
            _ if !with_files => Ok(act),
            Some(sided) => Ok(sided),
            None => Err(Error::usage("`files` belongs to undo and redo; no other change restores files")),
        }
    }

    /// Returns true for an undo of a turn.
    #[must_use]
    pub fn is_undo(&self) -> bool {
        matches!(self, Self::Change(Change::Undo) | Self::WithFiles(Change::Undo, _))
    }

    fn read_change(body: &Value) -> Result<Self> {
        let name = body.get("change").and_then(Value::as_str).unwrap_or_default();
        let turn = || number(body, "turn").map(ExchangeId);
        let small = |field| number(body, field).and_then(|number| short(number, field));
        Ok(match name {
            "undo" => Self::Change(Change::Undo),
            "redo" => Self::Change(Change::Redo),
            "undo_compaction" => Self::Change(Change::UndoCompaction),
            "redo_compaction" => Self::Change(Change::RedoCompaction),
            "drop" => Self::Change(Change::Drop(turn()?)),
            "restore" => Self::Change(Change::Restore(turn()?)),
            "window" => Self::Change(Change::Window(Some(small("turns")?).filter(|turns| *turns > 0))),
            "unpin" => Self::Change(Change::Unpin(small("pin")?)),
            "pin" => {
                let target = match body.get("record") {
                    Some(_) => {
                        let part = usize::try_from(number(body, "part")?).unwrap_or(usize::MAX);
                        PinTarget::Part(Seq(number(body, "record")?), part)
                    }
                    None => PinTarget::Group(turn()?),
                };
                Self::Pin(target, body.get("text").and_then(Value::as_str).map(str::to_owned))
            }
            "" => {
                let names = NAMES.join(", ");
                return Err(Error::usage(format!("`change` is missing; it is one of {names}")));
            }
            other => {
                let other = throughline_text::first_chars(other, 40);
                let near =
                    nearest_name(other, NAMES).map_or(String::new(), |near| format!("; `{near}` is near"));
                return Err(Error::usage(format!(
                    "there is no change {other:?}{near}; `change` is one of {}",
                    NAMES.join(", ")
                )));
            }
        })
    }
}

/// Refuses fields that the change does not take: a misspelt one would be left out silently.
fn check_fields(body: &Value) -> Result<()> {
    let name = body.get("change").and_then(Value::as_str).unwrap_or_default();
    let takes: &[&str] = match name {
        "undo" => &["change", "files", "confirm"],
        "drop" | "restore" => &["change", "turn"],
        "window" => &["change", "turns"],
        "pin" => &["change", "turn", "record", "part", "text"],
        "unpin" => &["change", "pin"],
        _ => &["change", "files"],
    };
    let others = body.as_object().into_iter().flatten().map(|(field, _)| field.as_str());
    // What `files` belongs to has an error of its own.
    match others.into_iter().find(|field| *field != "files" && !takes.contains(field)) {
        None => Ok(()),
        Some(field) => {
            let field = throughline_text::first_chars(field, 40);
            Err(Error::usage(format!(
                "the change `{name}` has no field {field:?}; it takes {}",
                takes.join(", ")
            )))
        }
    }
}

fn number(body: &Value, field: &str) -> Result<u64> {
    match body.get(field) {
        None | Some(Value::Null) => {
            Err(Error::usage(format!("`{field}` is missing; it must be a whole number")))
        }
        Some(found) => found.as_u64().ok_or_else(|| {
            let found = found.to_string();
            let found = throughline_text::headline(&found, 40);
            Error::usage(format!("`{field}` is {found}; it must be a whole number up to {}", u64::MAX))
        }),
    }
}

fn short(number: u64, field: &str) -> Result<u32> {
    u32::try_from(number)
        .map_err(|_| Error::usage(format!("`{field}` is {number}; it must be at most {}", u32::MAX)))
}

impl SessionHandle {
    /// Makes a change of a session that no process has open, and says what it did: its mark, the size of the view before and
    /// after it, and what became of each file that was to be restored.
    ///
    /// # Errors
    /// [`Error::Lock`]: another process has the session open. The change is refused, or the log failed.
    pub async fn act(&self, act: &SessionAct) -> Result<Value> {
        self.locked(self.act_locked(act)).await
    }

    async fn act_locked(&self, act: &SessionAct) -> Result<Value> {
        let mut writer = SessionWriter::Handle;
        let before = self.log().await?;
        let before_size = self.view_size(&writer, &before.view).await;
        let changed = match act {
            SessionAct::Change(change) | SessionAct::WithFiles(change, _) => {
                self.change(&mut writer, *change).await?
            }
            SessionAct::Pin(target, span) => self.pin(&mut writer, *target, span.as_deref()).await?,
        };
        let after_size = self.view_size(&writer, &changed.view).await;
        let mut object = json!({ "mark": changed.mark, "before": before_size, "after": after_size });
        if let (SessionAct::WithFiles(_, side), Mark::Group { exchange, .. }) = (act, &changed.mark)
            && let Some(fields) = object.as_object_mut()
        {
            let files = self.turn_files(&before.records, *exchange).await?;
            let restores = self.restore_files(&files, *side).await;
            fields.insert("files".to_owned(), restores.iter().map(FileRestore::object).collect());
            fields.insert("not_covered".to_owned(), json!(files.unrecorded));
        }
        Ok(object)
    }

    /// Makes the context of the session again for `worker` and stores it, with the patterns of the user's settings.
    ///
    /// # Errors
    /// The settings, the log or the stored contexts cannot be read or written.
    pub async fn refresh_context(
        &self,
        worker: &str,
        listeners: Option<Arc<dyn Listeners>>,
    ) -> Result<Value> {
        let config = Config::load(ConfigSources::default())?;
        let options = ContextOptions { listeners, ..ContextOptions::of(&config) };
        let context = self.context_for(ContextSource::Refresh, worker, &options).await?;
        Ok(json!({ "context": context, "text": context.text("") }))
    }
}

#[cfg(test)]
mod tests;
