//! The sentence of a decision by price.

use expect_test::{Expect, expect};
use throughline_conversation::{PriceTerms, PriceVerdict};

use super::price_sentence;

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
        summary: 0.0,
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
    check(&lean, &expect!["a compaction would leave 16k of 18k tokens"]);
    check(
        &terms(PriceVerdict::NotPaid),
        &expect!["leaving out 40k tokens costs 39k and pays back after 10 requests"],
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
