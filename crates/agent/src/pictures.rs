//! Leaving out pictures that the provider does not take.

use throughline_compaction::{PictureFault, PicturesLeave, without_pictures};
use throughline_conversation::{Degradation, RecordBody};

use crate::engine::{Engine, Wire};

/// Puts notes in the place of pictures after the provider refused the request with them: an edit of the view, which can be
/// taken back; the log keeps every picture. Whether there were any.
pub(crate) async fn leave_out(engine: &mut Engine, wire: &Wire<'_>, fault: PictureFault, why: &str) -> bool {
    let Some(PicturesLeave { edit, pictures }) = without_pictures(&engine.view, fault) else { return false };
    if let Err(error) = engine.append(RecordBody::Edit(edit)) {
        engine.degrade(wire, "pictures", "they stay in the request", &error);
        return false;
    }
    engine.meter.drop_anchor();
    let fallback = match pictures {
        1 => "a note stands in the place of 1 picture".to_owned(),
        _ => format!("notes stand in the place of {pictures} pictures"),
    };
    let subsystem = "pictures".to_owned();
    engine.note_degraded(wire, Degradation { subsystem, fallback, cause: why.to_owned() });
    engine.flush(wire).await;
    true
}
