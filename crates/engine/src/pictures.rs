//! Leaving out pictures that the provider rejects.

use throughline_compaction::{PictureFault, PicturesLeave, without_pictures};
use throughline_conversation::{Degradation, RecordBody};

use crate::compacting::Compaction;

/// Replaces pictures by notes after the provider rejected the request for them: an edit of the view, which can be undone;
/// the log keeps every picture. Returns false if there is no picture to leave out.
pub(crate) async fn leave_out(compaction: &mut Compaction<'_>, fault: PictureFault, why: &str) -> bool {
    let Compaction { session, window, turn, .. } = compaction;
    let Some(PicturesLeave { edit, pictures }) = without_pictures(session.view(), fault) else {
        return false;
    };
    if let Err(error) = session.append(RecordBody::Edit(edit)) {
        session.degrade(turn, "pictures", "they stay in the request", &error);
        return false;
    }
    window.drop_anchor();
    let fallback = match pictures {
        1 => "a note replaces 1 picture".to_owned(),
        _ => format!("notes replace {pictures} pictures"),
    };
    let subsystem = "pictures".to_owned();
    session.record_degradation(turn, Degradation { subsystem, fallback, cause: why.to_owned() });
    session.flush(turn).await;
    true
}
