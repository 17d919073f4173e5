//! The grammar of thresholds and what they are in tokens.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_budget::{Threshold, Thresholds};

#[expect(clippy::needless_pass_by_value, clippy::expect_used, reason = "a helper of tests")]
fn refused(text: &str, why: Expect) {
    why.assert_eq(&text.parse::<Threshold>().expect_err("no threshold").to_string());
}

#[test]
fn every_form_is_read() {
    let read = |text: &str| text.parse::<Threshold>();
    assert_eq!(read("95%effective"), Ok(Threshold::PercentEffective(95.0)));
    assert_eq!(read(" 97.5% effective "), Ok(Threshold::PercentEffective(97.5)));
    assert_eq!(read("90%window"), Ok(Threshold::PercentWindow(90.0)));
    assert_eq!(read("200000"), Ok(Threshold::Tokens(200_000)));
    assert_eq!(read("-20000"), Ok(Threshold::Remaining(20_000)));
    assert_eq!(read("-0"), Ok(Threshold::Remaining(0)));
    assert_eq!(read("off"), Ok(Threshold::Off));
}

#[test]
fn an_invalid_threshold_is_rejected_with_the_way_to_write_it() {
    refused(
        "80%",
        expect![[
            r#"threshold "80%" does not say of what: write "80%effective" (window minus reserved output) or "80%window""#
        ]],
    );
    refused("0", expect![[r#"threshold "0" would always be reached; write "off" to switch it off"#]]);
    refused(
        "101%window",
        expect![[r#"threshold "101%window": a percentage must be above 0 and at most 100"#]],
    );
    refused(
        "0%effective",
        expect![[r#"threshold "0%effective": a percentage must be above 0 and at most 100"#]],
    );
    let form = expect![[
        r#"invalid threshold "often": expected one of "95%effective", "90%window", "200000" (tokens used), "-20000" (tokens left), "off""#
    ]];
    refused("often", form);
    for text in ["", "-", "--5", "+5", "1e3", "NaN%window", "inf%window", "1e1%window", "5%tokens", "%window"]
    {
        assert!(text.parse::<Threshold>().is_err(), "{text:?} was read");
    }
    assert!("99999999999999999999999".parse::<Threshold>().is_err());
}

#[test]
fn tokens_are_exact_and_rounded_down() {
    let tokens = |text: &str, total, output| text.parse::<Threshold>().map(|it| it.tokens(total, output));
    // 95,904 · 0.95 = 91,108.8 and · 0.98 = 93,985.92
    assert_eq!(tokens("95%effective", 100_000, 4_096), Ok(Some(91_108)));
    assert_eq!(tokens("98%effective", 100_000, 4_096), Ok(Some(93_985)));
    assert_eq!(tokens("90%window", 200_000, 8_192), Ok(Some(180_000)));
    assert_eq!(tokens("12.3456%window", 1_000_000, 0), Ok(Some(123_456)));
    assert_eq!(tokens("200000", 100, 50), Ok(Some(200_000)));
    assert_eq!(tokens("-20000", 100_000, 4_096), Ok(Some(75_904)));
    assert_eq!(tokens("-20000", 10_000, 4_096), Ok(Some(0)));
    assert_eq!(tokens("off", 100_000, 4_096), Ok(None));
    assert_eq!(tokens("100%window", u64::MAX, 0), Ok(Some(u64::MAX)));
}

// S3-27
#[test]
fn a_bare_fraction_is_of_the_effective_window() {
    assert_eq!(Threshold::fraction(0.95), Threshold::PercentEffective(95.0));
    assert_eq!(Threshold::fraction(0.29).to_string(), "29%effective");
    assert_eq!(Threshold::fraction(0.95).tokens(100_000, 4_096), Some(91_108));
    assert_eq!(Threshold::fraction(0.98).tokens(100_000, 4_096), Some(93_985));
    assert_eq!(Threshold::fraction(f64::NAN).tokens(100_000, 4_096), Some(0));
}

#[test]
fn configuration_takes_texts_and_integers() {
    let text = r#"{"notice":"off","warn":-30000,"compact":150000,"block":"98%effective"}"#;
    let thresholds: Thresholds = serde_json::from_str(text).expect("thresholds");
    assert_eq!(thresholds.notice, Threshold::Off);
    assert_eq!(thresholds.warn, Threshold::Remaining(30_000));
    assert_eq!(thresholds.compact, Threshold::Tokens(150_000));
    expect![[r#"{"notice":"off","warn":"-30000","compact":150000,"block":"98%effective"}"#]]
        .assert_eq(&serde_json::to_string(&thresholds).expect("text"));

    let missing: Thresholds = serde_json::from_str("{}").expect("every level has a default");
    assert_eq!(missing, Thresholds::default());
    assert!(serde_json::from_str::<Thresholds>(r#"{"compcat":"off"}"#).is_err());
    let why = serde_json::from_str::<Threshold>("0.95").expect_err("a bare fraction has its own keys");
    expect![[
        r#"invalid type: floating point `0.95`, expected a threshold: a number of tokens, or a text such as "95%effective" or "off" at line 1 column 4"#
    ]]
    .assert_eq(&why.to_string());
}

fn any_threshold() -> impl Strategy<Value = Threshold> {
    let percent = || (1u32..=1_000_000).prop_map(|n| f64::from(n) / 1e4);
    prop_oneof![
        percent().prop_map(Threshold::PercentEffective),
        percent().prop_map(Threshold::PercentWindow),
        (f64::MIN_POSITIVE..=100.0).prop_map(Threshold::PercentWindow),
        (1..=u64::MAX).prop_map(Threshold::Tokens),
        any::<u64>().prop_map(Threshold::Remaining),
        Just(Threshold::Off),
    ]
}

proptest! {
    #[test]
    fn reading_what_was_written_gives_the_same_threshold(threshold in any_threshold()) {
        prop_assert_eq!(threshold.to_string().parse::<Threshold>(), Ok(threshold));
        let json = serde_json::to_string(&threshold).expect("text");
        prop_assert_eq!(serde_json::from_str::<Threshold>(&json).expect("the same"), threshold);
    }

    #[test]
    fn reading_any_text_never_panics(text in "\\PC{0,12}|[-0-9.%a-z]{0,12}") {
        if let Ok(threshold) = text.parse::<Threshold>() {
            prop_assert_eq!(threshold.to_string().parse::<Threshold>(), Ok(threshold));
        }
    }

    #[test]
    fn a_percentage_never_exceeds_its_base(n in 1u32..=1_000_000, total: u64, output: u64) {
        let percent = f64::from(n) / 1e4;
        let effective = Threshold::PercentEffective(percent).tokens(total, output).expect("on");
        prop_assert!(effective <= total.saturating_sub(output));
        let exact = u128::from(total) * u128::from(n) / 1_000_000;
        prop_assert_eq!(Threshold::PercentWindow(percent).tokens(total, output).map(u128::from), Some(exact));
    }
}
