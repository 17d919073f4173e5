//! Leaving out thinking whose signatures the provider refuses.

use throughline_conversation::{ContentBlock, Degradation};

use crate::compacting::Compaction;

/// Shows the model no thinking of the messages until here, in this session and whenever it is resumed; the log keeps it. Returns
/// false if the view has no thinking.
pub(crate) async fn leave_out(compaction: &mut Compaction<'_>, why: &str) -> bool {
    let Compaction { session, window, frame, turn } = compaction;
    let thinks = |block: &ContentBlock| matches!(block, ContentBlock::Thinking(_));
    if !session.view().entries().iter().any(|entry| entry.message.content.iter().any(thinks)) {
        return false;
    }
    session.forget_thinking(window, frame.model);
    window.drop_anchor();
    let fallback = "the thinking so far is not sent back; that of later answers is".to_owned();
    let subsystem = "thinking".to_owned();
    session.record_degradation(turn, Degradation { subsystem, fallback, cause: why.to_owned() });
    session.flush(turn).await;
    true
}
