//! Token usage of the requests for summaries.

use std::sync::{Mutex, MutexGuard, PoisonError};

use throughline_conversation::{ModelUse, Origin, Usage};

/// Collects the usage of each request for a summary as it arrives, so that rejected and cancelled summaries count too.
#[derive(Debug, Default)]
pub struct Spending {
    requests: Mutex<Vec<(Origin, RequestState)>>,
}

/// The known usage of a request.
#[derive(Debug, Clone, Copy)]
enum RequestState {
    /// It was sent.
    Sent,
    /// The provider rejected it.
    NotTaken,
    /// The provider's report.
    Used(Usage),
}

impl Spending {
    /// Records a request that is sent. Its number is for [`Spending::used`].
    pub fn asks(&self, origin: Origin) -> usize {
        let mut requests = self.requests();
        requests.push((origin, RequestState::Sent));
        requests.len() - 1
    }

    /// Records the provider's report about a request. The last report counts.
    pub fn used(&self, request: usize, usage: Usage) {
        if let Some((_, known)) = self.requests().get_mut(request) {
            *known = RequestState::Used(usage);
        }
    }

    /// Records that the provider rejected a request, so that it costs nothing.
    pub fn not_taken(&self, request: usize) {
        if let Some((_, known)) = self.requests().get_mut(request) {
            *known = RequestState::NotTaken;
        }
    }

    /// The usage by model, in the order of their first requests. Accepted requests without a report count as unreported.
    #[must_use]
    pub fn sums(&self) -> Vec<ModelUse> {
        let mut sums: Vec<ModelUse> = Vec::new();
        for (origin, known) in self.requests().iter() {
            let add = |sum: &mut ModelUse| match known {
                RequestState::Used(usage) => sum.add(*usage),
                RequestState::Sent => sum.add_unreported(),
                RequestState::NotTaken => {}
            };
            match sums.iter_mut().find(|sum| sum.origin == *origin) {
                Some(sum) => add(sum),
                None => {
                    let mut sum = ModelUse::of(origin.clone());
                    add(&mut sum);
                    sums.push(sum);
                }
            }
        }
        sums.retain(|sum| !sum.is_nothing());
        sums
    }

    /// Recovers a poisoned lock: no panic can leave a report half written.
    fn requests(&self) -> MutexGuard<'_, Vec<(Origin, RequestState)>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
