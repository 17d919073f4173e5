//! The ladder: its check, the pressure, and telling of it once.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_budget::{CrossingGate, Ladder, Limits, Pressure, Threshold};

const OFF: Threshold = Threshold::Off;

#[expect(clippy::expect_used, reason = "a malformed threshold is a mistake in the test itself")]
fn ladder(notice: &str, warn: &str, compact: &str, block: &str) -> Ladder {
    let read = |text: &str| text.parse().expect("a threshold");
    Ladder { notice: read(notice), warn: read(warn), compact: read(compact), block: read(block) }
}

#[expect(clippy::needless_pass_by_value, clippy::expect_used, reason = "a helper of tests")]
fn refused(ladder: Ladder, total: u64, max_output: u64, why: Expect) {
    why.assert_eq(&ladder.limits(total, max_output).expect_err("a faulty ladder").to_string());
}

// S3-04 S3-05 S3-06
#[test]
fn the_default_ladder_compacts_at_95_and_blocks_at_98_percent_of_the_effective_window() {
    let limits = Ladder::default().limits(100_000, 4_096).expect("a sound ladder");
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
        ladder("off", "80%window", "90%window", "off").limits(200_000, 8_192).expect("a sound ladder");
    assert_eq!((limits.warn, limits.compact), (Some(160_000), Some(180_000)));
    assert_eq!(limits.pressure(159_999), Pressure::Normal);
    assert_eq!(limits.pressure(160_000), Pressure::Warn);
    assert_eq!(limits.pressure(180_000), Pressure::Compact);
}

#[test]
fn a_compact_rung_that_is_off_leaves_the_block() {
    let limits = ladder("off", "off", "off", "98%effective").limits(100_000, 4_096).expect("a sound ladder");
    assert!(!limits.should_compact(u64::MAX));
    assert!(!limits.is_blocked(93_984));
    assert!(limits.is_blocked(93_985));
}

#[test]
fn what_does_not_fit_is_blocked_even_when_every_rung_is_off() {
    let limits = ladder("off", "off", "off", "off").limits(1_000, 100).expect("a sound ladder");
    assert_eq!(limits.pressure(900), Pressure::Normal);
    assert!(!limits.is_blocked(900));
    assert!(limits.is_blocked(901));
    assert_eq!(limits.pressure(901), Pressure::Exceeded);
}

#[test]
fn a_faulty_ladder_is_refused_and_never_put_right() {
    refused(
        ladder("off", "80%window", "70000", "off"),
        100_000,
        4_096,
        expect![
            "threshold warn (80%window, 80000 tokens) is above compact (70000, 70000 tokens); lower warn, raise compact, or set one to \"off\""
        ],
    );
    refused(
        ladder("-1000", "off", "off", "98%effective"),
        100_000,
        4_096,
        expect![
            "threshold notice (-1000, 94904 tokens) is above block (98%effective, 93985 tokens); lower notice, raise block, or set one to \"off\""
        ],
    );
    refused(
        ladder("off", "off", "98%window", "off"),
        100_000,
        4_096,
        expect![
            "threshold compact (98%window) is 98000 tokens, above the effective window of 95904; lower it or the output limit"
        ],
    );
    refused(
        ladder("off", "off", "-200000", "off"),
        100_000,
        4_096,
        expect![
            "threshold compact (-200000) is 0 tokens and would always be reached; set it to \"off\" or higher"
        ],
    );
    refused(
        Ladder { block: Threshold::fraction(f64::NAN), ..Ladder::default() },
        100_000,
        4_096,
        expect!["threshold block is NaN%effective: a percentage must be above 0 and at most 100"],
    );
    refused(
        Ladder { compact: Threshold::fraction(95.0), ..Ladder::default() },
        100_000,
        4_096,
        expect!["threshold compact is 9500%effective: a percentage must be above 0 and at most 100"],
    );
    refused(
        Ladder::default(),
        4_096,
        4_096,
        expect![
            "no room for a request: 4096 tokens are reserved for the answer of a window of 4096; lower the output limit"
        ],
    );
}

#[test]
fn equal_rungs_are_allowed_and_the_highest_counts() {
    let limits = ladder("500", "500", "500", "500").limits(1_000, 100).expect("a sound ladder");
    assert_eq!(limits.pressure(499), Pressure::Normal);
    assert_eq!(limits.pressure(500), Pressure::Block);
}

// S0-22
#[test]
fn a_crossing_is_told_once_and_a_warning_never_with_a_compaction() {
    use Pressure::{Compact, Exceeded, Normal, Warn};
    let mut gate = CrossingGate::new();
    let mut told = |pressures: &[Pressure]| -> Vec<Option<Pressure>> {
        pressures.iter().map(|pressure| gate.observe(*pressure)).collect()
    };
    assert_eq!(told(&[Normal, Warn, Warn]), [None, Some(Warn), None]);
    // One step over two rungs: only the higher one is told.
    assert_eq!(told(&[Normal, Compact]), [None, Some(Compact)]);
    // Down to the warning is no upward crossing; up again is one.
    assert_eq!(told(&[Warn, Compact, Compact]), [None, Some(Compact), None]);
    assert_eq!(told(&[Exceeded, Normal, Warn]), [Some(Exceeded), None, Some(Warn)]);
}

proptest! {
    #[test]
    fn more_used_never_means_less_pressure(
        rungs in prop::array::uniform4(prop::option::of(1u64..2_000)),
        effective_window in 1u64..2_000,
        used in prop::collection::vec(0u64..2_500, 2..40),
    ) {
        let [notice, warn, compact, block] = rungs;
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
    fn an_accepted_ladder_rises_within_the_window(
        rungs in prop::array::uniform4(prop_oneof![Just(OFF), (1u64..1_200).prop_map(Threshold::Tokens)]),
    ) {
        let [notice, warn, compact, block] = rungs;
        let tokens: Vec<u64> = rungs.iter().filter_map(|rung| rung.tokens(1_000, 100)).collect();
        let sound = tokens.is_sorted() && tokens.iter().all(|tokens| *tokens <= 900);
        let limits = Ladder { notice, warn, compact, block }.limits(1_000, 100);
        prop_assert_eq!(limits.is_ok(), sound);
    }

    #[test]
    fn the_gate_tells_exactly_the_rises(
        used in prop::collection::vec(0u64..120, 0..60),
    ) {
        let limits = ladder("50", "70", "80", "90").limits(110, 10).expect("a sound ladder");
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
fn a_ladder_for_a_window_that_shrank_keeps_what_fits() {
    let absolute = ladder("off", "off", "200000", "98%effective");
    assert_eq!(absolute.within(1_000_000, 4_096), absolute);
    assert_eq!(absolute.within(128_000, 4_096), ladder("off", "off", "95%effective", "98%effective"));
    // What fits stays, and a compaction that is off stays off.
    let both = ladder("100000", "off", "off", "120000");
    assert_eq!(both.within(110_000, 4_096), ladder("100000", "off", "off", "98%effective"));
    assert_eq!(both.within(102_000, 4_096), ladder("80%effective", "off", "off", "98%effective"));
    // What contradicts itself gives way to the default.
    let lines = Ladder { compact: OFF, ..ladder("off", "60000", "off", "50%effective") };
    assert_eq!(lines.within(64_000, 4_000), Ladder { compact: OFF, ..Ladder::default() });
}
