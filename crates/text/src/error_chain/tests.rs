//! Chains of errors.

use std::error::Error;
use std::fmt;

use super::error_chain;

/// An error with a cause.
#[derive(Debug)]
struct Failed(&'static str, Option<Box<Failed>>);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Failed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.1.as_deref().map(|cause| cause as &dyn Error)
    }
}

/// The chain of an error with this text over these causes, the outermost first.
fn chain(text: &'static str, causes: &[&'static str]) -> String {
    let cause = causes.iter().rev().fold(None, |cause, text| Some(Box::new(Failed(text, cause))));
    error_chain(&Failed(text, cause))
}

#[test]
fn causes_follow_their_error() {
    assert_eq!(
        chain("could not ask", &["no connection", "refused"]),
        "could not ask: no connection: refused"
    );
    assert_eq!(chain("could not ask", &[]), "could not ask");
}

#[test]
fn a_repeated_cause_is_left_out_and_its_own_cause_is_not() {
    assert_eq!(chain("could not ask: refused", &["refused", "no route"]), "could not ask: refused: no route");
    assert_eq!(chain("refused", &["refused"]), "refused");
}
