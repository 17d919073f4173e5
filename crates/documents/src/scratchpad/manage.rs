//! Running the tool that reads and writes the scratchpad.

use serde_json::Value;
use throughline_conversation::Seq;
use throughline_text::group_thousands;

use super::{Scratchpad, ScratchpadError};

/// What a call of the tool comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Managed {
    /// The answer for the model, without the new revision: that is known when the text is in the log.
    pub answer: String,
    /// The new text of the document. `None`: it stays.
    pub new_text: Option<String>,
}

impl Managed {
    /// The answer, when the new text was written as this revision.
    #[must_use]
    pub fn answer_at(&self, revision: Seq) -> String {
        match self.new_text {
            Some(_) => format!("{} It is at revision {revision} now.", self.answer),
            None => self.answer.clone(),
        }
    }
}

/// Runs a call: `{action: read | update | append | section, content?, heading?, expected_revision?}`, see
/// [`manage_scratchpad_tool`](super::manage_scratchpad_tool).
///
/// `revision` is the one in force. A call that names another one is refused, and nothing changes.
///
/// # Errors
/// [`ScratchpadError`]; its text says what to do.
pub fn manage(input: &Value, current: &Scratchpad, revision: Seq) -> Result<Managed, ScratchpadError> {
    let action = match input.get("action") {
        Some(Value::String(action)) => action.trim(),
        _ => return Err(invalid("\"action\" must be one of: read, update, append, section")),
    };
    if action == "read" {
        return Ok(read(current, revision));
    }
    if !["update", "append", "section"].contains(&action) {
        return Err(ScratchpadError::UnknownAction(action.to_owned()));
    }
    expected(input, revision)?;
    let content = text(input, "content")?;
    let new = match action {
        "append" => current.append(content)?,
        "section" => current.set_section(text(input, "heading")?, content)?,
        _ => current.replace(content)?,
    };
    if new == *current {
        let answer = format!("The scratchpad already says that; it stays at revision {revision}.");
        return Ok(Managed { answer, new_text: None });
    }
    let answer = format!("The scratchpad has {} now.", size(&new));
    Ok(Managed { answer, new_text: Some(new.text) })
}

fn read(current: &Scratchpad, revision: Seq) -> Managed {
    let answer = match current.text() {
        "" => format!("The scratchpad is empty (revision {revision})."),
        text => format!("[Scratchpad, revision {revision}, {}]\n{text}", size(current)),
    };
    Managed { answer, new_text: None }
}

fn size(scratchpad: &Scratchpad) -> String {
    let [used, most] = [scratchpad.text().len(), scratchpad.cap()].map(|bytes| group_thousands(bytes as u64));
    format!("{used} of at most {most} bytes")
}

fn text<'v>(input: &'v Value, name: &str) -> Result<&'v str, ScratchpadError> {
    let value = input.get(name).and_then(Value::as_str);
    value.ok_or_else(|| invalid(format!("\"{name}\" must be a string for this action")))
}

/// Digits in a string count as a number: models write both.
fn expected(input: &Value, current: Seq) -> Result<(), ScratchpadError> {
    let number = match input.get("expected_revision") {
        None | Some(Value::Null) => return Ok(()),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_u64(),
    };
    let expected = number.map(Seq).ok_or_else(|| {
        invalid("\"expected_revision\" must be the whole number that the action read gives, or be left out")
    })?;
    if expected == current { Ok(()) } else { Err(ScratchpadError::Conflict { expected, current }) }
}

fn invalid(why: impl Into<String>) -> ScratchpadError {
    ScratchpadError::Input(why.into())
}
