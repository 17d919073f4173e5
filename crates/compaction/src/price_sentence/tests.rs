//! The sentence of a decision by price.

use expect_test::{Expect, expect};
use throughline_conversation::{PriceTerms, PriceVerdict};

use super::{balance_phrase, continuing_sentence, price_sentence};
use crate::balance::{Balance, NeededAgain};

fn terms(verdict: PriceVerdict) -> PriceTerms {
    PriceTerms {
        verdict,
        follows: "an edit".to_owned(),
        idle_ms: Some(1_000),
        cold: false,
        request: 56_000,
        left: 16_000,
        cost: 36_750.0,
        regret: 2_400.0,
        unchanged_files: 0,
        summary: 0.0,
        by_model: false,
        saving: 4_000.0,
        paid: 52_000.0,
        residue: 5_000.0,
    }
}

fn check(terms: &PriceTerms, expected: &Expect) {
    expected.assert_eq(&price_sentence(terms));
}

#[test]
fn each_verdict_has_its_figures() {
    let lean = PriceTerms { request: 17_500, ..terms(PriceVerdict::Lean) };
    check(&lean, &expect!["one that is due by itself would leave 16k of 18k tokens"]);
    check(
        &terms(PriceVerdict::NotPaid),
        &expect!["leaving out 40k tokens costs 39k and pays back after 10 requests"],
    );
    check(
        &PriceTerms { unchanged_files: 12, ..terms(PriceVerdict::NotPaid) },
        &expect![
            "leaving out 40k tokens costs 39k and pays back after 10 requests; 12 files were read and are not changed yet"
        ],
    );
    check(
        &terms(PriceVerdict::Waits),
        &expect![
            "leaving out 40k tokens is paid for (52k spent on them), but an edit is not the end of a piece of work"
        ],
    );
    let commit = PriceTerms { follows: "a commit".to_owned(), ..terms(PriceVerdict::Compacts) };
    check(
        &commit,
        &expect!["after a commit: leaving out 40k tokens costs 39k and pays back after 10 requests"],
    );
    check(
        &terms(PriceVerdict::Overdue),
        &expect!["52k were spent on 40k old tokens and leaving them out costs 39k: it waits no longer"],
    );
}

#[test]
fn a_cold_cache_is_named_with_the_pause() {
    let cold =
        PriceTerms { cold: true, idle_ms: Some(720_000), cost: -43_400.0, ..terms(PriceVerdict::Compacts) };
    check(&cold, &expect!["idle 12 min, the prompt cache is cold: leaving out 40k tokens saves 41k at once"]);
    let unknown = PriceTerms { idle_ms: None, ..cold };
    check(&unknown, &expect!["the prompt cache is cold: leaving out 40k tokens saves 41k at once"]);
    let days = PriceTerms { idle_ms: Some(180_000_000), ..unknown };
    check(&days, &expect!["idle 50 h, the prompt cache is cold: leaving out 40k tokens saves 41k at once"]);
}

#[test]
fn continuing_behind_an_expired_cache_has_two_prices() {
    let cold =
        PriceTerms { cold: true, idle_ms: Some(720_000), cost: -43_400.0, ..terms(PriceVerdict::Compacts) };
    let says = |terms: &PriceTerms| continuing_sentence(terms, 1.25).unwrap_or_default();
    expect![
        "idle 12 min, the prompt cache is cold: continuing unchanged costs 70k tokens of input, after a compaction 27k: it compacts first"
    ]
    .assert_eq(&says(&cold));
    let waits = PriceTerms { verdict: PriceVerdict::NotPaid, ..cold.clone() };
    assert!(says(&waits).ends_with("after a compaction 27k: `/compact` does it"));
    let lean = PriceTerms { verdict: PriceVerdict::Lean, ..cold.clone() };
    expect![
        "idle 12 min, the prompt cache is cold: continuing costs 70k tokens of input, and a compaction would gain nothing"
    ]
    .assert_eq(&says(&lean));
    let free = PriceTerms { cost: -90_000.0, ..cold.clone() };
    assert!(says(&free).ends_with("after a compaction 0: it compacts first"), "{}", says(&free));
    assert_eq!(says(&PriceTerms { cold: false, ..cold }), "");
}

#[test]
fn a_balance_says_what_was_saved_and_what_was_needed_again() {
    let balance =
        Balance { compactions: 2, saved: 45_200.0, regret: 8_100.0, needed: NeededAgain::default() };
    expect!["compactions have saved 45k tokens of input, and nothing that they removed was needed again"]
        .assert_eq(&balance_phrase(&balance));
    let needed = NeededAgain { names: 2, lines: 1, files: 0, read_back: 3 };
    expect![
        "compactions have not paid back 1,200 tokens of input yet, and what they removed was needed again for 8,100 (2 names, 1 quoted line, 3 read back)"
    ]
    .assert_eq(&balance_phrase(&Balance { saved: -1_200.0, needed, ..balance }));
}
