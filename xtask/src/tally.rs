//! What became of each suite, counted and said aloud: a suite that did not run is never silent.

/// How a suite ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It ran and every test held.
    Passed,
    /// It ran and something broke, or it could not be started.
    Failed(String),
    /// It could not run here.
    Skipped {
        /// What is missing.
        reason: String,
        /// Why even a CI run may go without it; nothing when it may not.
        allowed_because: Option<&'static str>,
    },
}

/// The running count.
#[derive(Debug)]
pub(crate) struct Tally {
    /// With `CI=true` a skip hides a regression from everybody, so it counts as a failure.
    in_ci: bool,
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Tally {
    /// An empty count.
    pub(crate) fn new(in_ci: bool) -> Self {
        Self { in_ci, passed: 0, failed: 0, skipped: 0 }
    }

    /// Counts the outcome and returns the lines to print about it.
    pub(crate) fn record(&mut self, name: &str, outcome: Outcome) -> Vec<String> {
        match outcome {
            Outcome::Passed => {
                self.passed += 1;
                vec![format!("passed: {name}")]
            }
            Outcome::Failed(reason) => {
                self.failed += 1;
                vec![format!("failed: {name}: {reason}")]
            }
            Outcome::Skipped { reason, allowed_because } => {
                let skipped = format!("skipped: {name}: {reason}");
                match allowed_because {
                    _ if !self.in_ci => {
                        self.skipped += 1;
                        vec![skipped]
                    }
                    Some(why) => {
                        self.skipped += 1;
                        vec![format!("{skipped} (allowed with CI=true: {why})")]
                    }
                    None => {
                        self.failed += 1;
                        vec![skipped, format!("failed: {name}: with CI=true a skip is a failure")]
                    }
                }
            }
        }
    }

    /// Returns true if nothing failed.
    pub(crate) fn is_green(&self) -> bool {
        self.failed == 0
    }

    /// The last line of a test run. Other programs read it, so its form is fixed.
    pub(crate) fn closing_line(&self) -> String {
        format!("suites: {} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests;
