//! Token usage of the requests for summaries.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use throughline_conversation::{ModelUse, Origin, SideAnswer, SideOutcome, SideRequest, Usage};

/// Hears of each request for a summary, while it runs.
pub trait RequestObserver: Send + Sync {
    /// A request is sent.
    fn asked(&self, request: SideRequest);

    /// The request has ended. One whose future is dropped never does.
    fn ended(&self, answer: SideAnswer);
}

/// Collects the usage of each request for a summary as it arrives, so that rejected and cancelled summaries count too.
#[derive(Default)]
pub struct Spending<'a> {
    requests: Mutex<Vec<(Origin, RequestState)>>,
    observer: Option<&'a dyn RequestObserver>,
}

impl fmt::Debug for Spending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spending").field("requests", &self.requests).finish_non_exhaustive()
    }
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

impl<'a> Spending<'a> {
    /// The same, with an observer.
    #[must_use]
    pub fn observed(observer: &'a dyn RequestObserver) -> Self {
        Self { observer: Some(observer), ..Self::default() }
    }

    /// Records a request that is sent. Its number is for the other methods.
    pub fn asks(&self, request: SideRequest) -> usize {
        let number = {
            let mut requests = self.requests();
            requests.push((request.model.clone(), RequestState::Sent));
            requests.len() - 1
        };
        if let Some(observer) = self.observer {
            observer.asked(request);
        }
        number
    }

    /// Records how a request ended. What it has used is what was reported before.
    pub fn ended(&self, request: usize, outcome: SideOutcome) {
        let usage = match self.requests().get(request) {
            Some((_, RequestState::Used(usage))) => Some(*usage),
            _ => None,
        };
        if let Some(observer) = self.observer {
            observer.ended(SideAnswer { outcome, usage });
        }
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
