//! Pictures that a provider rejects: which ones leave the view, and the notes that replace them.

use throughline_conversation::{Action, Edit, EditReason, EntryKind, Seq, View};

/// The newest pictures stay, at least this many, when there were too many. Four of the largest that providers take fit into
/// the smallest request limit there is, 32 MB, with room for everything else.
const STAY: usize = 4;

/// Why a provider rejected a request with pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PictureFault {
    /// There are too many of them, or the request has too many bytes.
    TooMuch,
    /// One of them is not accepted. The provider does not say which.
    NotTaken,
}

/// Pictures that leave the view.
#[derive(Debug, Clone, PartialEq)]
pub struct PicturesLeave {
    /// The edit that replaces them by notes. The log still has the pictures, and undoing the edit shows them again.
    pub edit: Edit,
    /// Their number.
    pub pictures: usize,
}

/// The pictures that leave the view after a provider rejected a request with them; `None` without pictures in view.
///
/// Where there are too many the oldest go, message by message, until four are left, and the newest message with pictures
/// keeps its own; where that is all there is, all go. Where one is not accepted, those go that came after the model's last
/// words, as the provider has answered with the others in view; without such, all go. So each time some go, and the same
/// request is not sent twice.
#[must_use]
pub fn without_pictures(view: &View, fault: PictureFault) -> Option<PicturesLeave> {
    let all: Vec<(usize, Seq, usize)> = view
        .entries()
        .iter()
        .enumerate()
        .map(|(index, entry)| (index, entry.span.first, entry.message.pictures().count()))
        .filter(|(_, _, pictures)| *pictures > 0)
        .collect();
    let some: Vec<(usize, Seq, usize)> = match fault {
        PictureFault::TooMuch => {
            let mut left = 0;
            let stays = |(_, _, pictures): &&(usize, Seq, usize)| {
                let is_newest = left == 0;
                left += pictures;
                is_newest || left <= STAY
            };
            let staying = all.iter().rev().take_while(stays).count();
            all.iter().take(all.len() - staying).copied().collect()
        }
        PictureFault::NotTaken => {
            let said = view.entries().iter().rposition(|entry| entry.kind == EntryKind::Assistant);
            all.iter().filter(|(index, _, _)| said.is_none_or(|said| *index > said)).copied().collect()
        }
    };
    let leaving = if some.is_empty() { all } else { some };
    if leaving.is_empty() {
        return None;
    }
    let text = match fault {
        PictureFault::TooMuch => include_str!("../texts/pictures/too_much.md"),
        PictureFault::NotTaken => include_str!("../texts/pictures/not_taken.md"),
    };
    let note = |message| Action::ReplacePictures { message, text: text.trim_end().to_owned() };
    let actions = leaving.iter().map(|(_, message, _)| note(*message)).collect();
    let edit = Edit { reason: EditReason::Pictures, actions, strategies: vec!["pictures".to_owned()] };
    Some(PicturesLeave { edit, pictures: leaving.iter().map(|(_, _, pictures)| pictures).sum() })
}

/// The note that replaces a picture which the user has dropped.
#[must_use]
pub fn dropped_picture() -> &'static str {
    include_str!("../texts/pictures/dropped.md").trim_end()
}

#[cfg(test)]
mod tests;
