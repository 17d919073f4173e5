//! What the user asked for in a message.

use throughline_conversation::{Message, is_agent_note, is_inserted_text, is_own_command, without_wrappers};

/// What the user wrote in a message, without the notes that another agent added to it. `None`: nothing.
#[must_use]
pub fn user_request(message: &Message) -> Option<String> {
    let said = message.texts().filter(|text| !is_inserted_text(text) && !is_own_command(text));
    let texts: Vec<_> = said.map(without_wrappers).collect();
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).filter(|text| !text.trim().is_empty()).collect();
    let own: Vec<&str> = texts.iter().copied().filter(|text| !is_agent_note(text)).collect();
    // A lone text may be markup that the user asks about.
    let is_markup = |text: &str| text.trim_start().starts_with('<');
    let is_lone = message.texts().filter(|text| !text.trim().is_empty()).count() == 1;
    let asked = if own.is_empty() && is_lone {
        texts.into_iter().filter(|text| is_markup(text)).collect()
    } else {
        own
    };
    (!asked.is_empty()).then(|| asked.join("\n"))
}

#[cfg(test)]
mod tests;
