//! What a session sent, and what its compactions took away.

use serde_json::{Value, json};
use throughline_agent::{ReconstructError, reconstruct};
use throughline_conversation::{Receipt, Record, RecordBody, Seq};
use throughline_groups::{CompactionDiff, DiffError, compaction_diff, compactions};
use throughline_policies::Estimator;
use throughline_wire::anthropic;

use crate::error::{Attempt as _, Error, Result};
use crate::handle::{SessionHandle, SessionLog};

/// A request that was sent, verbatim.
#[derive(Debug, Clone)]
pub struct SentRequest {
    /// What was decided about it.
    pub receipt: Receipt,
    /// The body for Anthropic's API.
    pub body: Value,
}

impl SentRequest {
    /// The receipt and the body as one object.
    #[must_use]
    pub fn object(&self) -> Value {
        json!({ "receipt": self.receipt, "request": self.body })
    }
}

/// The receipts of records, in the order of the requests.
pub fn receipts(records: &[Record]) -> impl DoubleEndedIterator<Item = &Receipt> {
    records.iter().filter_map(|record| match &record.body {
        RecordBody::Receipt(receipt) => Some(receipt.as_ref()),
        _ => None,
    })
}

impl SessionHandle {
    /// Request `number` (from 1; `None`: the newest one), reconstructed from all records of the session.
    ///
    /// # Errors
    /// [`Error::Missing`] when there is no such request or its content was deleted; the log is damaged.
    pub fn sent_request(&self, records: &[Record], number: Option<u64>) -> Result<SentRequest> {
        let Some(last) = receipts(records).next_back() else {
            return Err(Error::missing(format!("session {} has sent no request yet", self.session)));
        };
        let wanted = number.unwrap_or(last.request);
        let request = reconstruct(&self.session, records, wanted, Estimator::Script.counter().as_ref());
        let request = match request {
            Err(
                why @ (ReconstructError::NoRequest { .. }
                | ReconstructError::NotAnswered { .. }
                | ReconstructError::Removed { .. }),
            ) => {
                return Err(Error::missing(why.to_string()));
            }
            other => other.attempt(|| format!("could not show request {wanted}"))?,
        };
        let Some(receipt) = receipts(records).find(|receipt| receipt.request == wanted) else {
            return Err(Error::missing(format!("the session has no request {wanted}")));
        };
        Ok(SentRequest { receipt: receipt.clone(), body: anthropic::encode(&request) })
    }

    /// What compaction `number` (from 1; `None`: the newest one) took away.
    ///
    /// # Errors
    /// [`Error::Missing`] when there is no such compaction; the log is damaged.
    pub fn compaction(&self, log: &SessionLog, number: Option<u64>) -> Result<CompactionDiff> {
        match compaction_diff(&log.records, number, self.counter.as_ref()) {
            Err(why @ (DiffError::Never | DiffError::Unknown { .. })) => Err(Error::missing(why.to_string())),
            other => other.attempt(|| "could not compare the view before and after".to_owned()),
        }
    }
}

impl SessionLog {
    /// The compactions as objects, oldest first: number, record, whether each is undone, why and how it was made, and the request
    /// before which it was made with its tokens before and after. Without a request after it, these are null.
    #[must_use]
    pub fn compaction_objects(&self) -> Vec<Value> {
        let numbered = (1_u64..).zip(compactions(&self.records));
        numbered.map(|(number, (seq, undone))| self.compaction_object(number, seq, undone)).collect()
    }

    fn compaction_object(&self, number: u64, seq: Seq, undone: bool) -> Value {
        let place = self.records.partition_point(|record| record.seq < seq);
        let rest = self.records.get(place..).unwrap_or_default();
        let edit = rest.first().and_then(|record| match &record.body {
            RecordBody::Edit(edit) => Some(edit),
            _ => None,
        });
        let next = receipts(rest).next();
        let made = next.and_then(|receipt| receipt.compaction.as_ref());
        json!({
            "number": number,
            "record": seq,
            "undone": undone,
            "reason": edit.map(|edit| edit.reason.cause()),
            "strategies": edit.map(|edit| &edit.strategies),
            "request": next.map(|receipt| receipt.request),
            "before_tokens": made.map(|made| made.before_tokens),
            "after_tokens": made.map(|made| made.after_tokens),
        })
    }
}
