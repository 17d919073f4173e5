//! Anchoring the meter on requests of the log, so that a session measures the same after a change, and after a restart.

use throughline_budget::COMPARED_VIEWS;
use throughline_conversation::{Origin, Receipt, Record, RecordBody, View, project_readable};

use super::Window;
use crate::session::Session;

impl Window {
    /// Takes over the scale by which the request was measured, so that its parts measure the same after a restart. `fixed`: tokens of
    /// its system prompt and tools by the counter.
    pub(crate) fn continue_scale(&mut self, fixed: u64, receipt: &Receipt) {
        let measured = receipt.window.used.fixed();
        // The first request of a session is measured without a scale.
        if measured != fixed {
            self.calibrate(fixed, measured);
        }
    }

    /// Anchors the meter on the newest request of this model that the session's view continues. If it continues none, only
    /// the scale is learnt, unless the meter has one: from the newest request of this model, else of its provider.
    /// `fixed`: tokens of system prompt and tools by the counter.
    pub(crate) fn anchor_on_log(
        &mut self,
        session: &Session,
        fixed: u64,
        records: &[Record],
        origin: &Origin,
    ) {
        let reported = reported(records);
        let own = reported.iter().rev().filter(|(by, _)| *by == Some(origin)).map(|(_, receipt)| *receipt);
        let mut newest = None;
        for receipt in one_of_each_view(own, session.view()) {
            let then = view_of(receipt, records, session);
            if continues(session.view(), &then) {
                self.anchor_on_view(session, session.view(), fixed, receipt);
                return;
            }
            newest.get_or_insert((receipt, then));
        }
        if self.meter.has_learnt() {
            return;
        }
        let newest = newest.or_else(|| {
            let same = |by: Option<&Origin>| by.is_some_and(|by| by.provider == origin.provider);
            let (_, receipt) = reported.iter().rev().find(|(by, _)| same(*by))?;
            Some((*receipt, view_of(receipt, records, session)))
        });
        if let Some((receipt, then)) = newest {
            self.anchor_on_view(session, &then, fixed, receipt);
            self.meter.drop_anchor();
        }
    }
}

/// The requests whose use was reported, oldest first, each with the model that answered.
fn reported(records: &[Record]) -> Vec<(Option<&Origin>, &Receipt)> {
    let mut model = None;
    let mut found = Vec::new();
    for record in records {
        match &record.body {
            RecordBody::Model(next) => model = Some(next.origin.as_ref()),
            RecordBody::Receipt(receipt) if receipt.reported.is_some() && !receipt.short_report => {
                found.push((model, receipt.as_ref()));
            }
            _ => {}
        }
    }
    found
}

/// The newest request of each view, newest first, without those of turns that this view does not show.
fn one_of_each_view<'r>(receipts: impl Iterator<Item = &'r Receipt>, view: &View) -> Vec<&'r Receipt> {
    let last = view.entries().last().map_or(0, |entry| entry.exchange.0);
    let mut kept: Vec<&Receipt> = Vec::new();
    for receipt in receipts.filter(|receipt| receipt.turn <= last) {
        if kept.last().is_none_or(|newer| newer.epoch != receipt.epoch) {
            kept.push(receipt);
        }
        if kept.len() == COMPARED_VIEWS {
            break;
        }
    }
    kept
}

/// The view that a request showed.
pub(crate) fn view_of(receipt: &Receipt, records: &[Record], session: &Session) -> View {
    let shown = records.iter().take_while(|record| record.seq <= receipt.upto);
    project_readable(shown, session.counter()).0
}

/// Returns true if the first entries of the view are those of the earlier one.
fn continues(view: &View, earlier: &View) -> bool {
    let (now, then) = (view.entries(), earlier.entries());
    now.len() >= then.len()
        && now
            .iter()
            .zip(then)
            .all(|(now, then)| (now.span, now.kind, now.tokens) == (then.span, then.kind, then.tokens))
}
