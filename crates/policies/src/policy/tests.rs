//! The numbers of the policies.

use std::sync::Arc;

use expect_test::expect_file;
use throughline_budget::Limits;
use throughline_compaction::{Compactor, MockSummarizer};
use throughline_conversation::Message;
use throughline_engine::Recount;

use super::{Policy, UnknownPolicy};
use crate::dex::Dex;
use crate::economy::Economy;
use crate::estimator::Estimator;

/// The thresholds in tokens.
fn limits(policy: Policy, window: u64, max_output: u64) -> Limits {
    let settings = policy.settings(window, max_output);
    settings.thresholds.limits(window, max_output).expect("the thresholds fit every window")
}

#[test]
fn every_policy_fits_every_window() {
    for policy in Policy::ALL {
        for window in [1_000, 8_192, 32_000, 64_000, 128_000, 200_000, 262_144, 1_000_000] {
            for max_output in [1, 4_096.min(window / 2), window / 4, window / 2] {
                limits(policy, window, max_output);
            }
        }
    }
}

#[test]
fn a_policy_is_found_by_its_name() {
    for policy in Policy::ALL {
        assert_eq!(policy.to_string().parse(), Ok(policy));
    }
    assert_eq!("best".parse::<Policy>(), Err(UnknownPolicy("best".to_owned())));
}

// S0-18 S0-40
#[test]
fn dex_warns_at_160000_and_compacts_at_180000_of_200000() {
    let own = limits(Policy::Dex, 200_000, 4_096);
    assert_eq!((own.notice, own.warn, own.compact), (None, Some(160_000), Some(180_000)));
    // With a larger answer too, as long as a request of that size fits next to it.
    assert_eq!(limits(Policy::Dex, 200_000, 16_384).compact, Some(180_000));
    // Where it does not fit, the same parts of what is left.
    assert_eq!(limits(Policy::Dex, 64_000, 16_000).compact, Some(43_200));
    assert_eq!(Policy::Dex.estimator(), Some(Estimator::Chars4));
    let chain = Policy::Dex.settings(200_000, 4_096).compaction.chain;
    assert_eq!(format!("{chain:?}"), format!("{:?}", Dex::default()));
}

// S2-01 S2-02
#[test]
fn vibe_compacts_at_200000_whatever_the_window() {
    assert_eq!(limits(Policy::Vibe, 1_000_000, 4_096).compact, Some(200_000));
    assert_eq!(limits(Policy::Vibe, 204_096, 4_096).compact, Some(200_000));
    // A window that cannot hold them: 95 % of what it holds.
    assert_eq!(limits(Policy::Vibe, 200_000, 4_096).compact, Some(186_108));
    // S2-14
    assert_eq!(Policy::Vibe.settings(200_000, 4_096).recount, Recount::Probe);
}

// S3-05
#[test]
fn rubichan_notes_at_80_compacts_at_95_and_blocks_at_98_per_cent_of_the_effective_window() {
    let own = limits(Policy::Rubichan, 100_000, 4_096);
    assert_eq!((own.notice, own.compact, own.block), (Some(76_723), Some(91_108), Some(93_985)));
    assert_eq!(Policy::Rubichan.settings(100_000, 4_096).offload.threshold_bytes, 4_096);
}

#[test]
fn slop_has_no_threshold_but_the_block() {
    let own = limits(Policy::Slop, 100_000, 4_096);
    assert_eq!((own.notice, own.warn, own.compact, own.block), (None, None, None, Some(93_985)));
}

/// All that a policy decides, in one place: a change here is a change of what each of its sessions costs.
#[test]
fn the_policies_in_figures() {
    let mut out = String::new();
    for policy in Policy::ALL {
        out.push_str(&format!(
            "== {policy}: {}\n== {:?}, {:?}\n{:#?}\n",
            policy.summary(),
            policy.estimator(),
            policy.state_rule(),
            policy.settings(200_000, 8_192)
        ));
    }
    expect_file!["tests/figures.txt"].assert_eq(&out);
}

#[test]
fn a_name_has_the_setting_of_the_dial_where_it_is_not_the_default() {
    let names = Economy::ALL.map(|economy| Policy::Throughline.name_with(economy));
    assert_eq!(names, ["throughline lean", "throughline balanced", "throughline"]);
}

#[test]
fn a_policy_counts_by_the_estimator_of_its_design() {
    let message = Message::user("words and more words, 12 of them");
    let count = |policy: Policy| policy.counter().message(&message);
    assert_eq!(count(Policy::Dex), Estimator::Chars4.counter().message(&message));
    assert_eq!(count(Policy::Slop), Estimator::Script.counter().message(&message));
    assert!(count(Policy::Dex) != count(Policy::Slop));
}

#[test]
fn every_policy_but_slop_asks_a_model_for_summaries_where_there_is_one() {
    for policy in Policy::ALL {
        let compactor = |summarizer| Compactor::new(policy.settings(100_000, 4_096).compaction, summarizer);
        let with_model = compactor(Some(Arc::new(MockSummarizer::new())));
        assert_eq!(with_model.asks_model(), policy != Policy::Slop, "{policy}");
        assert!(!compactor(None).asks_model(), "{policy}");
    }
}
