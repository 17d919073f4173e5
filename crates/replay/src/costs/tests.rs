//! Tests of the sums.

use throughline_completion::PrefixUse;
use throughline_conversation::Components;

use super::{ByComponent, Costs, Spread};

#[test]
fn tokens_add_up_and_the_largest_request_is_the_peak() {
    let mut costs = Costs::default();
    costs.add(PrefixUse { read: 0, write: 1_000, uncached: 20 });
    costs.add(PrefixUse { read: 1_000, write: 200, uncached: 20 });
    assert_eq!((costs.requests, costs.tokens(), costs.mean(), costs.peak), (2, 2_240, 1_120, 1_220));
    assert_eq!(Costs::default().mean(), 0);
}

#[test]
fn parts_have_a_mean_and_a_peak_of_their_own() {
    let mut parts = ByComponent::default();
    parts.add(Components { system: 10, skills: 0, tools: 4, conversation: 100 });
    parts.add(Components { system: 10, skills: 6, tools: 2, conversation: 300 });
    assert_eq!(parts.spread(|part| part.system), Spread { mean: 10, peak: 10 });
    assert_eq!(parts.spread(|part| part.skills), Spread { mean: 3, peak: 6 });
    assert_eq!(parts.spread(|part| part.tools), Spread { mean: 3, peak: 4 });
    assert_eq!(parts.spread(|part| part.conversation), Spread { mean: 200, peak: 300 });
    assert_eq!(ByComponent::default().spread(|part| part.tools), Spread::default());
}
