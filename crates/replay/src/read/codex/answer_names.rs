//! Names by which an answer and its copy in a fork are known as one.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use throughline_conversation::Role;

use super::super::draft::RecordingDraft;

/// Gives each answer a name that its copy in the file of a fork has, too: its content, and after how many tokens or
/// answers.
pub(super) fn name_answers(draft: &mut RecordingDraft, origin: &str) {
    for one in &mut draft.unshown {
        one.answer = one.answer.take().map(|after| format!("{origin} {after}"));
    }
    let rewound = draft.separate.iter_mut().flat_map(|other| &mut other.messages);
    let answers = rewound.chain(&mut draft.messages).filter(|said| said.message.role == Role::Assistant);
    for (place, said) in answers.enumerate() {
        for one in &mut said.request.unshown {
            one.answer = one.answer.take().map(|after| format!("{origin} {after}"));
        }
        let after = said.request.answer.take().unwrap_or_else(|| place.to_string());
        let mut hasher = DefaultHasher::new();
        serde_json::to_string(&said.message.content).unwrap_or_default().hash(&mut hasher);
        said.request.answer = Some(format!("{origin} {after} {:016x}", hasher.finish()));
    }
}
