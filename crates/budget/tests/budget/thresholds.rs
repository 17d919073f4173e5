//! The thresholds of a window: their check, the pressure, and reporting it once.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_budget::{CrossingGate, Limits, Pressure, Threshold, Thresholds};

const OFF: Threshold = Threshold::Off;

#[expect(clippy::expect_used, reason = "a malformed threshold is a mistake in the test itself")]
fn thresholds(notice: &str, warn: &str, compact: &str, block: &str) -> Thresholds {
    let read = |text: &str| text.parse().expect("a threshold");
    Thresholds { notice: read(notice), warn: read(warn), compact: read(compact), block: read(block) }
}

#[expect(clippy::needless_pass_by_value, clippy::expect_used, reason = "a helper of tests")]
fn refused(thresholds: Thresholds, total: u64, max_output: u64, why: Expect) {
    why.assert_eq(&thresholds.limits(total, max_output).expect_err("invalid thresholds").to_string());
}

// S3-04 S3-05 S3-06
#[test]
fn the_default_thresholds_compact_at_95_and_block_at_98_percent_of_the_effective_window() {
    let limits = Thresholds::default().limits(100_000, 4_096).expect("valid thresholds");
    assert_eq!(
        limits,
        Limits {
            notice: Some(76_723),
            warn: None,
            compact: Some(91_108),
            block: Some(93_985),
            effective_window: 95_904
        }
    );
    assert!(!limits.should_compact(91_107));
    assert!(limits.should_compact(91_108));
    assert!(!limits.is_blocked(93_984));
    assert!(limits.is_blocked(93_985));
    let steps = [0, 76_722, 76_723, 91_108, 93_985, 95_904, 95_905].map(|used| limits.pressure(used).name());
    assert_eq!(steps, ["normal", "normal", "notice", "compact", "block", "block", "exceeded"]);
}

// S0-18 S0-21
#[test]
fn thresholds_of_the_whole_window_are_reached_when_met() {
    let limits =
        thresholds("off", "80%window", "90%window", "off").limits(200_000, 8_192).expect("valid thresholds");
    assert_eq!((limits.warn, limits.compact), (Some(160_000), Some(180_000)));
    assert_eq!(limits.pressure(159_999), Pressure::Normal);
    assert_eq!(limits.pressure(160_000), Pressure::Warn);
    assert_eq!(limits.pressure(180_000), Pressure::Compact);
}

#[test]
fn a_compact_threshold_that_is_off_leaves_the_block() {
    let limits =
        thresholds("off", "off", "off", "98%effective").limits(100_000, 4_096).expect("valid thresholds");
    assert!(!limits.should_compact(u64::MAX));
    assert!(!limits.is_blocked(93_984));
    assert!(limits.is_blocked(93_985));
}

#[test]
fn a_request_that_does_not_fit_is_blocked_even_when_every_threshold_is_off() {
    let limits = thresholds("off", "off", "off", "off").limits(1_000, 100).expect("valid thresholds");
    assert_eq!(limits.pressure(900), Pressure::Normal);
    assert!(!limits.is_blocked(900));
    assert!(limits.is_blocked(901));
    assert_eq!(limits.pressure(901), Pressure::Exceeded);
}

#[test]
fn invalid_thresholds_are_rejected_and_never_corrected() {
    refused(
        thresholds("off", "80%window", "70000", "off"),
        100_000,
        4_096,
        expect![
            "threshold warn (80%window, 80000 tokens) is above compact (70000, 70000 tokens); lower warn, raise compact, or set one to \"off\""
        ],
    );
    refused(
        thresholds("-1000", "off", "off", "98%effective"),
        100_000,
        4_096,
        expect![
            "threshold notice (-1000, 94904 tokens) is above block (98%effective, 93985 tokens); lower notice, raise block, or set one to \"off\""
        ],
    );
    refused(
        thresholds("off", "off", "98%window", "off"),
        100_000,
        4_096,
        expect![
            "threshold compact (98%window) is 98000 tokens, above the effective window of 95904; lower it or the output limit"
        ],
    );
    refused(
        thresholds("off", "off", "-200000", "off"),
        100_000,
        4_096,
        expect![
            "threshold compact (-200000) is 0 tokens and would always be reached; set it to \"off\" or higher"
        ],
    );
    refused(
        Thresholds { block: Threshold::fraction(f64::NAN), ..Thresholds::default() },
        100_000,
        4_096,
        expect!["threshold block is NaN%effective: a percentage must be above 0 and at most 100"],
    );
    refused(
        Thresholds { compact: Threshold::fraction(95.0), ..Thresholds::default() },
        100_000,
        4_096,
        expect!["threshold compact is 9500%effective: a percentage must be above 0 and at most 100"],
    );
    refused(
        Thresholds::default(),
        4_096,
        4_096,
        expect![
            "no room for a request: 4096 tokens are reserved for the answer of a window of 4096; lower the output limit"
        ],
    );
}

#[test]
fn equal_thresholds_are_allowed_and_the_highest_counts() {
    let limits = thresholds("500", "500", "500", "500").limits(1_000, 100).expect("valid thresholds");
    assert_eq!(limits.pressure(499), Pressure::Normal);
    assert_eq!(limits.pressure(500), Pressure::Block);
}

// S0-22
#[test]
fn a_crossing_is_reported_once_and_a_warning_never_with_a_compaction() {
    use Pressure::{Compact, Exceeded, Normal, Warn};
    let mut gate = CrossingGate::new();
    let mut reported = |pressures: &[Pressure]| -> Vec<Option<Pressure>> {
        pressures.iter().map(|pressure| gate.observe(*pressure)).collect()
    };
    assert_eq!(reported(&[Normal, Warn, Warn]), [None, Some(Warn), None]);
    // Two thresholds crossed at once: only the higher one is reported.
    assert_eq!(reported(&[Normal, Compact]), [None, Some(Compact)]);
    // Falling to the warning is not an upward crossing; rising again is.
    assert_eq!(reported(&[Warn, Compact, Compact]), [None, Some(Compact), None]);
    assert_eq!(reported(&[Exceeded, Normal, Warn]), [Some(Exceeded), None, Some(Warn)]);
}

proptest! {
    #[test]
    fn more_used_never_means_less_pressure(
        levels in prop::array::uniform4(prop::option::of(1u64..2_000)),
        effective_window in 1u64..2_000,
        used in prop::collection::vec(0u64..2_500, 2..40),
    ) {
        let [notice, warn, compact, block] = levels;
        let limits = Limits { notice, warn, compact, block, effective_window };
        let mut used = used;
        used.sort_unstable();
        let pressures: Vec<Pressure> = used.iter().map(|used| limits.pressure(*used)).collect();
        prop_assert!(pressures.is_sorted());
        for (used, pressure) in used.iter().zip(pressures) {
            prop_assert_eq!(limits.is_blocked(*used), pressure >= Pressure::Block);
            prop_assert_eq!(pressure == Pressure::Exceeded, *used > effective_window);
        }
    }

    #[test]
    fn valid_thresholds_rise_within_the_window(
        levels in prop::array::uniform4(prop_oneof![Just(OFF), (1u64..1_200).prop_map(Threshold::Tokens)]),
    ) {
        let [notice, warn, compact, block] = levels;
        let tokens: Vec<u64> = levels.iter().filter_map(|level| level.tokens(1_000, 100)).collect();
        let valid = tokens.is_sorted() && tokens.iter().all(|tokens| *tokens <= 900);
        let limits = Thresholds { notice, warn, compact, block }.limits(1_000, 100);
        prop_assert_eq!(limits.is_ok(), valid);
    }

    #[test]
    fn the_gate_reports_exactly_the_rises(
        used in prop::collection::vec(0u64..120, 0..60),
    ) {
        let limits = thresholds("50", "70", "80", "90").limits(110, 10).expect("valid thresholds");
        let mut gate = CrossingGate::new();
        let mut before = Pressure::Normal;
        for used in used {
            let now = limits.pressure(used);
            prop_assert_eq!(gate.observe(now), (now > before).then_some(now));
            before = now;
        }
    }
}

#[test]
fn thresholds_that_fit_stay_when_the_window_shrinks() {
    let absolute = thresholds("off", "off", "200000", "98%effective");
    assert_eq!(absolute.within(1_000_000, 4_096), absolute);
    assert_eq!(absolute.within(128_000, 4_096), thresholds("off", "off", "95%effective", "98%effective"));
    // Thresholds that fit stay, and a compaction that is off stays off.
    let both = thresholds("100000", "off", "off", "120000");
    assert_eq!(both.within(110_000, 4_096), thresholds("100000", "off", "off", "98%effective"));
    assert_eq!(both.within(102_000, 4_096), thresholds("80%effective", "off", "off", "98%effective"));
    // Contradicting thresholds become the defaults.
    let lines = Thresholds { compact: OFF, ..thresholds("off", "60000", "off", "50%effective") };
    assert_eq!(lines.within(64_000, 4_000), Thresholds { compact: OFF, ..Thresholds::default() });
}

#[test]
fn a_threshold_at_the_end_of_the_effective_window_is_allowed_and_so_are_equal_ones() {
    let limits = thresholds("95904", "95904", "95904", "95904").limits(100_000, 4_096);
    assert_eq!(limits.map(|limits| (limits.notice, limits.block)), Ok((Some(95_904), Some(95_904))));
    assert!(thresholds("off", "off", "off", "95905").limits(100_000, 4_096).is_err());
}
