//! Dropping one item of a message, and showing it again.

use throughline_compaction::{cleared_stub, dropped_picture, parse_stub};
use throughline_conversation::{DroppedItem, Mark, Millis, Record, ResultRef, Seq};
use throughline_groups::{Item, ItemContent, item_to_drop, restore_item};
use throughline_resultstore::StoredResult;

use crate::operation::Operation;
use crate::session_change::{ChangeError, Changed, SessionPorts, append_mark, read_log};

/// A result of a call or a picture: the record of its message and the index of its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemPlace {
    /// The record of the message.
    pub message: Seq,
    /// The index of the block.
    pub part: usize,
}

/// Drops an item of a session that no agent has open, or shows it again. A dropped result becomes a stub, and can be read by
/// its reference; its bytes are stored first.
///
/// # Errors
/// [`ChangeError`]. Nothing is shown differently.
pub async fn change_item_in_session(
    ports: &SessionPorts<'_>,
    place: ItemPlace,
    drop: bool,
    at: Millis,
) -> Result<Changed, ChangeError> {
    let mut records = read_log(ports).await?;
    let mark = item_mark(ports, &records, place, drop, at).await?;
    append_mark(ports, &mut records, mark, at).await
}

/// The mark that drops an item, after its bytes are stored, or shows it again.
async fn item_mark(
    ports: &SessionPorts<'_>,
    records: &[Record],
    ItemPlace { message, part }: ItemPlace,
    drop: bool,
    at: Millis,
) -> Result<Mark, ChangeError> {
    match drop {
        true => dropped(ports, item_to_drop(records, message, part)?, at).await,
        false => Ok(restore_item(records, message, part)?),
    }
}

async fn dropped(ports: &SessionPorts<'_>, item: Item, at: Millis) -> Result<Mark, ChangeError> {
    let Item { exchange, message, part, content } = item;
    let (shown, stored) = match content {
        ItemContent::Picture => (dropped_picture().to_owned(), None),
        ItemContent::Result { tool, text } => {
            // What was offloaded is stored already.
            let (stored, bytes) = match parse_stub(&text) {
                Some(found) => (found.stored, found.bytes),
                None => store(ports, &tool, text, at).await?,
            };
            (cleared_stub(bytes, &tool, &stored, &[]), Some(stored))
        }
    };
    Ok(Mark::Item(DroppedItem { exchange, message, part, shown: Some(shown), stored }))
}

async fn store(
    ports: &SessionPorts<'_>,
    tool: &str,
    text: String,
    at: Millis,
) -> Result<(ResultRef, u64), ChangeError> {
    let (session, content) = (ports.session.clone(), text.into_bytes());
    let (id, bytes) = (ResultRef::of(&session, &content), content.len() as u64);
    let result = StoredResult { session, id: id.clone(), tool: tool.to_owned(), content, at };
    match ports.results.put(&result).await {
        Ok(()) => Ok((id, bytes)),
        Err(error) => Err(ChangeError::NotStored(error)),
    }
}

impl Operation<'_> {
    /// Drops an item of the open session, or shows it again; see [`change_item_in_session`].
    ///
    /// # Errors
    /// As [`change_item_in_session`].
    pub async fn change_item(&mut self, place: ItemPlace, drop: bool) -> Result<Changed, ChangeError> {
        let (log, mut records) = self.whole_log().await?;
        let at = self.engine.state.session.now();
        let mark = item_mark(&self.engine.ports(log.as_ref()), &records, place, drop, at).await?;
        self.apply_mark(log.as_ref(), &mut records, mark).await
    }
}
