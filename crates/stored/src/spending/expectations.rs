//! What requests are expected to use, by the requests before them.

use std::mem;

use throughline_conversation::{ModelUse, Origin, Record, RecordBody, Usage};

use super::forecast::{AnsweredRequest, expected_usage};

/// The requests of one session, as far as the next one can be expected by them.
#[derive(Debug, Default)]
pub(super) struct Expectations {
    /// The longest answer so far, in tokens: the next one is expected to be as long.
    longest: u64,
    /// What was expected of the last request. It counts as used if the provider reports nothing.
    expected: Usage,
    /// The model and the predicted input of the request that was asked last and is not answered.
    open: Option<(Origin, Usage)>,
    /// The last answered request, and its model.
    last: Option<(Origin, AnsweredRequest)>,
}

impl Expectations {
    /// What a request to this model will use.
    pub(super) fn of(&self, origin: &Origin, predicted: Usage) -> Usage {
        let last = self.last.as_ref().filter(|(of, _)| of == origin).map(|(_, last)| *last);
        expected_usage(predicted, last, self.longest)
    }

    /// A request is asked.
    pub(super) fn ask(&mut self, origin: Origin, predicted: Usage) {
        self.expected = self.of(&origin, predicted);
        self.open = Some((origin, predicted));
    }

    /// Takes what was used since the last request was asked. Returns it with the expected use of each request without a report.
    pub(super) fn take_use(&mut self, used: &ModelUse) -> ModelUse {
        match (used.requests, used.unreported) {
            (1, 0) => self.take_report(used.usage),
            _ => self.open = None,
        }
        self.completed(used.clone())
    }

    /// Takes the report of the open request. A report without input says nothing about the next one.
    fn take_report(&mut self, reported: Usage) {
        self.longest = self.longest.max(reported.output);
        if let Some((origin, predicted)) = self.open.take()
            && reported.prompt() > 0
        {
            self.last = Some((origin, AnsweredRequest { predicted, reported }));
        }
    }

    /// What is not reported is assumed to be what was expected.
    fn completed(&self, mut used: ModelUse) -> ModelUse {
        for _ in 0..mem::take(&mut used.unreported) {
            used.add(self.expected);
        }
        used
    }
}

/// Reads the log of one session, and assumes of each request without a report that it used what was expected of it.
#[derive(Debug, Default)]
pub(super) struct AssumedReports {
    provider: String,
    requests: Expectations,
}

impl AssumedReports {
    /// The record with the report that is assumed. Records come in order.
    pub(super) fn complete(&mut self, mut record: Record) -> Record {
        match &mut record.body {
            RecordBody::Model(reads) => self.provider.clone_from(&reads.origin.provider),
            RecordBody::Receipt(receipt) => {
                self.requests.ask(Origin::new(&self.provider, &receipt.model), receipt.predicted);
                let expected = self.requests.expected;
                self.requests.take_report(receipt.reported.unwrap_or_default());
                receipt.reported.get_or_insert(expected);
            }
            RecordBody::Spent(used) => *used = self.requests.completed(used.clone()),
            _ => {}
        }
        record
    }

    /// The requests of the session.
    pub(super) fn into_requests(self) -> Expectations {
        self.requests
    }
}
