//! The dial.

use std::fmt::Write as _;

use expect_test::expect;

use super::{Economy, UnknownEconomy};

#[test]
fn the_dial_has_three_settings_by_name() {
    for economy in Economy::ALL {
        assert_eq!(economy.to_string().parse(), Ok(economy));
    }
    assert_eq!(Economy::default(), Economy::Faithful);
    let error = "cheap".parse::<Economy>().unwrap_err();
    assert_eq!(error, UnknownEconomy("cheap".to_owned()));
    assert!(error.to_string().ends_with("it is lean, balanced, faithful"), "{error}");
}

#[test]
fn each_step_towards_faithful_waits_longer() {
    for window in [32_000, 64_000, 100_000, 1_000_000] {
        let numbers =
            Economy::ALL.map(|economy| economy.pricing(window)).map(|own| (own.patience, own.overdue));
        assert!(numbers.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{numbers:?}");
    }
}

#[test]
fn a_large_window_waits_for_half_as_long() {
    let patience = |window| Economy::Faithful.pricing(window).patience;
    assert_eq!((patience(32_000), patience(64_000)), (2.5, 2.5));
    assert_eq!((patience(128_000), patience(1_000_000)), (1.25, 1.25));
}

/// What docs/policies.md and the tuning rest on: a change here is a change of every price.
#[test]
fn the_dial_in_figures() {
    let mut out = String::new();
    for economy in Economy::ALL {
        let rows =
            [48_000, 64_000, 100_000, 200_000, 1_000_000].map(|window| (window, economy.pricing(window)));
        for (window, pricing) in rows {
            let previews = economy.previews(window);
            writeln!(
                out,
                "{economy:8} {window:7}: recent {} words {} given {} whole reads {} previews {}/{}/{}/{} patience {:.2} overdue {} \
                 cold {} unchanged {} first gain {}",
                economy.recent_tokens(),
                economy.words_tokens(window),
                economy.given_tokens(window),
                economy.whole_reads(window),
                previews.threshold_bytes,
                previews.head_bytes,
                previews.tail_bytes,
                previews.name_bytes,
                pricing.patience,
                pricing.overdue,
                pricing.cold_regret,
                pricing.unchanged_reads.needed_later,
                pricing.smallest_first_gain,
            )
            .unwrap();
        }
    }
    expect![[r#"
        lean       48000: recent 300 words 1000 given 1000 whole reads 0 previews 4500/1500/900/6000 patience 0.50 overdue 4.5 cold 1 unchanged 5 first gain 2000
        lean       64000: recent 300 words 1000 given 1000 whole reads 0 previews 4500/1500/900/8000 patience 0.50 overdue 4.5 cold 1 unchanged 5 first gain 2000
        lean      100000: recent 300 words 1000 given 1000 whole reads 0 previews 4500/1500/900/8000 patience 0.50 overdue 4.5 cold 1 unchanged 5 first gain 2000
        lean      200000: recent 300 words 1000 given 1000 whole reads 0 previews 4500/1500/900/8000 patience 0.50 overdue 4.5 cold 1 unchanged 5 first gain 2000
        lean     1000000: recent 300 words 1000 given 1000 whole reads 0 previews 4500/1500/900/8000 patience 0.50 overdue 4.5 cold 1 unchanged 5 first gain 2000
        balanced   48000: recent 600 words 3000 given 2500 whole reads 14400 previews 12000/5000/3000/6000 patience 1.10 overdue 10 cold 1 unchanged 20 first gain 2000
        balanced   64000: recent 600 words 3000 given 2500 whole reads 19200 previews 12000/5000/3000/8000 patience 1.10 overdue 10 cold 1 unchanged 20 first gain 2000
        balanced  100000: recent 600 words 3000 given 2500 whole reads 30000 previews 12000/5000/3000/8000 patience 0.70 overdue 10 cold 1 unchanged 20 first gain 2000
        balanced  200000: recent 600 words 3000 given 2500 whole reads 60000 previews 12000/5000/3000/8000 patience 0.55 overdue 20 cold 1 unchanged 20 first gain 2000
        balanced 1000000: recent 600 words 3000 given 2500 whole reads 300000 previews 12000/5000/3000/8000 patience 0.55 overdue 20 cold 1 unchanged 20 first gain 2000
        faithful   48000: recent 600 words 4000 given 2500 whole reads 14400 previews 12000/5000/3000/6000 patience 2.50 overdue 16 cold 4 unchanged 20 first gain 4000
        faithful   64000: recent 600 words 5333 given 2500 whole reads 19200 previews 12000/5000/3000/8000 patience 2.50 overdue 16 cold 4 unchanged 20 first gain 5333
        faithful  100000: recent 600 words 6000 given 3333 whole reads 30000 previews 12000/5000/3000/8000 patience 1.60 overdue 16 cold 4 unchanged 20 first gain 8333
        faithful  200000: recent 600 words 6000 given 4500 whole reads 60000 previews 12000/5000/3000/8000 patience 1.25 overdue 32 cold 4 unchanged 20 first gain 16666
        faithful 1000000: recent 600 words 6000 given 4500 whole reads 300000 previews 12000/5000/3000/8000 patience 1.25 overdue 50 cold 4 unchanged 20 first gain 83333
    "#]].assert_eq(&out);
}

#[test]
fn the_dial_has_a_direction() {
    let next = Economy::ALL.map(Economy::towards_faithful);
    assert_eq!(next, [Some(Economy::Balanced), Some(Economy::Faithful), None]);
    let summaries = Economy::ALL.map(Economy::summary);
    assert!(summaries.iter().all(|summary| summary.len() > 10 && !summary.ends_with('.')), "{summaries:?}");
    assert!(summaries[0] != summaries[1] && summaries[1] != summaries[2]);
}
