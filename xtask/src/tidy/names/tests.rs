//! Names that pass and names that do not.

use super::{REFUSED, check};
use crate::tidy::findings_of;

#[test]
fn a_name_that_says_its_job_passes() {
    for path in ["crates/a/src/preview.rs", "crates/a/src/module.rs", "docs/common.md"] {
        assert!(findings_of(check, path, "").is_empty(), "{path}");
    }
}

#[test]
fn a_name_that_says_nothing_is_refused() {
    for name in REFUSED {
        assert_eq!(findings_of(check, &format!("crates/a/src/{name}"), "").len(), 1, "{name}");
    }
}
