//! The pace of a model.

use throughline_conversation::{ModelUse, Origin, Usage};

use super::Pace;

fn origin(model: &str) -> Origin {
    Origin { provider: "local".to_owned(), model: model.to_owned() }
}

#[test]
fn a_summary_takes_as_many_answers_as_its_tokens_say() {
    let mut pace = Pace::default();
    assert_eq!((pace.ms_of(200), pace.steps(200)), (None, 0.0));
    pace.note(&origin("small"), 10_000, 50);
    pace.note(&origin("small"), 30_000, 150);
    assert_eq!(pace.ms_of(200), Some(40_000));
    assert!((pace.steps(200) - 2.0).abs() < 1e-6);
    pace.note(&origin("large"), 2_000, 100);
    assert_eq!(pace.ms_of(200), Some(4_000));
}

#[test]
fn the_last_summary_shows_how_much_the_model_thinks() {
    let mut pace = Pace::default();
    pace.note(&origin("small"), 10_000, 50);
    pace.note_summaries(&[]);
    assert_eq!(pace.summary(), None);
    let usage = |output| Some(Usage { output, ..Usage::default() });
    pace.note_summaries(&[ModelUse::of_request(origin("cheap"), usage(9))]);
    assert_eq!(pace.summary(), None);
    pace.note_summaries(&[ModelUse::of_request(origin("small"), usage(1_900))]);
    assert_eq!(pace.summary(), Some(1_900));
}
