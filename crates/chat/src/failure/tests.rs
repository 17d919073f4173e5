//! What is said about turns that failed.

use throughline_agent::TurnError;
use throughline_completion::ModelError;

use super::Failure;

#[test]
fn what_happened_is_one_line_and_what_to_do_fits_it() {
    let message = format!("invalid x-api-key\n{}", "a page about keys ".repeat(100));
    let failure = Failure::of(&TurnError::Model(ModelError::Unauthorized { message }));
    assert!(
        failure.what.starts_with("the provider rejects the credentials: invalid x-api-key"),
        "{}",
        failure.what
    );
    assert!(!failure.what.contains('\n') && failure.what.chars().count() <= 301, "{}", failure.what);
    assert!(failure.advice.contains("throughline login"), "{}", failure.advice);
    let declined = Failure::of(&TurnError::Declined("no secrets".to_owned()));
    assert!(!declined.advice.contains("/continue"), "{}", declined.advice);
}
