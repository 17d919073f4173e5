//! Whether every reference that was shown leads back to the exact bytes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use throughline_compaction::result_text;
use throughline_continuity::{LogError, Part, read_all};
use throughline_conversation::{
    Action, Image, Message, Record, RecordBody, ResultRef, Seq, SessionId, ToolResult,
};
use throughline_resultstore::ResultRepository;

use crate::runner::{ReplayError, Stores};
use crate::session::{RecordedSession, RecordedStep};

/// References that resolve to the exact bytes, and those that do not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReadBack {
    pub(crate) ok: u64,
    pub(crate) failed: u64,
}

impl ReadBack {
    fn count(&mut self, good: bool) {
        let part = if good { &mut self.ok } else { &mut self.failed };
        *part += 1;
    }
}

/// Follows the reference of every result that was stored at once, of every result and input that a compaction
/// took away, and every reference in a summary.
pub(crate) async fn read_back(
    session: &RecordedSession,
    id: &SessionId,
    stored: &BTreeMap<String, ResultRef>,
    stores: &Stores,
) -> Result<ReadBack, ReplayError> {
    let recorded = Recorded::of(session);
    let results = stores.results.as_ref();
    let mut found = ReadBack::default();
    for (call, reference) in stored {
        let bytes = bytes(results, id, reference).await?;
        found.count(bytes.as_deref() == recorded.text(call).map(str::as_bytes));
    }
    let records =
        read_all(stores.log.as_ref(), id, Seq(0), Part::View).await.map_err(|error: LogError| error)?.records;
    let shown = shown(&records);
    for record in &records {
        let RecordBody::Edit(edit) = &record.body else { continue };
        for action in &edit.actions {
            match action {
                Action::ReplaceResult { call_id, stored, .. } => {
                    let bytes = bytes(results, id, stored).await?;
                    // A preview's own text is as good: it names the place of the whole.
                    let own = recorded.results.get(call_id.as_str());
                    let forms = [own, shown.get(call_id.as_str())];
                    let mut good = false;
                    for form in forms.into_iter().flatten() {
                        good |= is_stored(form, bytes.as_deref(), results, id).await?;
                    }
                    found.count(good);
                }
                Action::ReplaceInput { call_id, stored, .. } => {
                    let bytes = bytes(results, id, stored).await?;
                    let input = bytes.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
                    found.count(
                        input.is_some() && input.as_ref() == recorded.inputs.get(call_id.as_str()).copied(),
                    );
                }
                // Pictures have no place of their own: they are in the log.
                Action::ReplacePictures { .. } => {}
                Action::Cover { summary, .. } => {
                    for reference in references(summary.as_deref().unwrap_or_default()) {
                        found.count(bytes(results, id, &reference).await?.is_some());
                    }
                }
            }
        }
    }
    Ok(found)
}

/// What the recording has, by call.
struct Recorded<'a> {
    results: BTreeMap<&'a str, &'a ToolResult>,
    inputs: BTreeMap<&'a str, &'a Value>,
}

impl<'a> Recorded<'a> {
    fn of(session: &'a RecordedSession) -> Self {
        let results =
            |step: &'a RecordedStep| step.results.iter().map(|result| (result.call_id.as_str(), result));
        let inputs =
            |step: &'a RecordedStep| step.assistant.tool_calls().map(|call| (call.id.as_str(), &call.input));
        Self {
            results: session.steps().flat_map(results).collect(),
            inputs: session.steps().flat_map(inputs).collect(),
        }
    }

    fn text(&self, call: &str) -> Option<&'a str> {
        self.results.get(call).map(|result| result.content.as_str())
    }
}

/// What the log has as the result of each call.
fn shown(records: &[Record]) -> BTreeMap<&str, &ToolResult> {
    let messages = records.iter().filter_map(|record| match &record.body {
        RecordBody::Message(said) => Some(&said.message),
        _ => None,
    });
    let results = messages.flat_map(Message::tool_results);
    results.map(|result| (result.call_id.as_str(), result)).collect()
}

/// Returns true if the bytes are a result's text, and each of its pictures is stored byte for byte.
async fn is_stored(
    result: &ToolResult,
    found: Option<&[u8]>,
    results: &dyn ResultRepository,
    id: &SessionId,
) -> Result<bool, ReplayError> {
    let reference = |image: &Image| ResultRef::of(id, image.to_data_url().as_bytes());
    let text = result_text(result, &mut |image| reference(image));
    if found.is_none_or(|found| found != text.as_bytes() && found != result.content.as_bytes()) {
        return Ok(false);
    }
    for image in &result.images {
        if bytes(results, id, &reference(image)).await?.as_deref() != Some(image.to_data_url().as_bytes()) {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn bytes(
    results: &dyn ResultRepository,
    id: &SessionId,
    reference: &ResultRef,
) -> Result<Option<Vec<u8>>, ReplayError> {
    Ok(results.get(id, reference).await?.map(|found| found.content))
}

/// Every text of the form of a reference: `r-` and 16 hexadecimal digits.
fn references(text: &str) -> BTreeSet<ResultRef> {
    const DIGITS: usize = 16;
    let mut found = BTreeSet::new();
    for (place, mark) in text.match_indices("r-") {
        let before = text.get(..place).and_then(|before| before.chars().next_back());
        let rest = text.get(place + mark.len()..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits == DIGITS && !before.is_some_and(char::is_alphanumeric) {
            found.insert(ResultRef::from_text(
                text.get(place..place + mark.len() + DIGITS).unwrap_or_default(),
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests;
