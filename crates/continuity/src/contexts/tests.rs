//! The stored name of a source.

use serde_json::json;

use super::ContextSource;

#[test]
fn the_stored_name_is_that_of_json() {
    for source in ContextSource::ALL {
        assert_eq!(json!(source), json!(source.name()));
    }
}
