//! The estimators by name.

use throughline_conversation::Message;

use super::{Estimator, UnknownEstimator};

#[test]
fn an_estimator_is_found_by_its_name() {
    for estimator in Estimator::ALL {
        assert_eq!(estimator.to_string().parse(), Ok(estimator));
    }
    assert_eq!(Estimator::default(), Estimator::Script);
    let error = "words".parse::<Estimator>().unwrap_err();
    assert_eq!(error, UnknownEstimator("words".to_owned()));
    assert_eq!(error.to_string(), "unknown estimator \"words\"; the estimators are script, chars4");
}

#[test]
fn the_estimators_count_as_they_say() {
    let text = "words and more words, 12 of them";
    let [script, quarter] = Estimator::ALL.map(|estimator| estimator.counter().message(&Message::user(text)));
    assert_eq!(quarter, 8, "a quarter of the bytes");
    assert!(script != quarter && script > 0, "{script}");
    let summaries = Estimator::ALL.map(Estimator::summary);
    assert!(summaries[0].starts_with("By script") && summaries[1].starts_with("A quarter"), "{summaries:?}");
}
