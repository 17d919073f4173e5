//! What the requests for summaries use.

use std::sync::{Mutex, MutexGuard, PoisonError};

use throughline_conversation::{ModelUse, Origin, Usage};

/// Collects what each request for a summary uses, as it becomes known. So it is known also of a summary that is refused
/// or not waited for.
#[derive(Debug, Default)]
pub struct Spending {
    requests: Mutex<Vec<(Origin, Known)>>,
}

/// What is known of a request.
#[derive(Debug, Clone, Copy)]
enum Known {
    /// It was sent.
    Sent,
    /// The provider did not take it.
    NotTaken,
    /// What the provider reported.
    Used(Usage),
}

impl Spending {
    /// A request is sent. Its number is for [`Spending::used`].
    pub fn asks(&self, origin: Origin) -> usize {
        let mut requests = self.requests();
        requests.push((origin, Known::Sent));
        requests.len() - 1
    }

    /// What the provider reports about a request. The last report counts.
    pub fn used(&self, request: usize, usage: Usage) {
        if let Some((_, known)) = self.requests().get_mut(request) {
            *known = Known::Used(usage);
        }
    }

    /// The provider did not take a request, so it costs nothing.
    pub fn not_taken(&self, request: usize) {
        if let Some((_, known)) = self.requests().get_mut(request) {
            *known = Known::NotTaken;
        }
    }

    /// What each model used, in the order in which they were asked first. A request that was taken, and that no provider
    /// reported anything about, is counted as such.
    #[must_use]
    pub fn sums(&self) -> Vec<ModelUse> {
        let mut sums: Vec<ModelUse> = Vec::new();
        for (origin, known) in self.requests().iter() {
            let add = |sum: &mut ModelUse| match known {
                Known::Used(usage) => sum.add(*usage),
                Known::Sent => sum.add_unreported(),
                Known::NotTaken => {}
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

    /// A poisoned lock is taken as it is: no panic can leave a report half written.
    fn requests(&self) -> MutexGuard<'_, Vec<(Origin, Known)>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_report_of_each_request_counts_for_its_model() {
        let spending = Spending::default();
        let usage = |input| Usage { input, output: 1, ..Usage::default() };
        let (small, large) = (Origin::new("p", "small"), Origin::new("p", "large"));
        let requests = [&small, &large, &small, &small, &large].map(|origin| spending.asks(origin.clone()));
        spending.used(requests[0], usage(5));
        spending.used(requests[0], usage(10));
        spending.used(requests[1], usage(100));
        // The third is never reported about, and the last was not taken.
        spending.used(requests[3], usage(20));
        spending.not_taken(requests[4]);
        spending.used(99, usage(1_000));
        let sum = |origin, requests, input, unreported| {
            let usage = Usage { input, output: requests, ..Usage::default() };
            ModelUse { origin, requests, usage, unreported }
        };
        assert_eq!(spending.sums(), [sum(small, 2, 30, 1), sum(large, 1, 100, 0)]);
        let spending = Spending::default();
        assert_eq!(spending.sums(), []);
        spending.not_taken(spending.asks(Origin::new("p", "m")));
        assert_eq!(spending.sums(), []);
    }
}
