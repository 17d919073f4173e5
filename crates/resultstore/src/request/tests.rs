//! Arguments of the tool, as models write them.

use serde_json::json;
use throughline_conversation::ResultRef;

use crate::request::{ReadError, ReadRequest};

fn request(offset: u64, limit: u64, search: Option<&str>) -> ReadRequest {
    ReadRequest { ref_id: ResultRef::from_text("r-1"), offset, limit, search: search.map(str::to_owned) }
}

// S3-10
#[test]
fn offset_and_limit_have_defaults() {
    assert_eq!(ReadRequest::from_input(&json!({"ref_id": " r-1 "})).unwrap(), request(0, 4096, None));
    assert_eq!(ReadRequest::new(ResultRef::from_text("r-1")), request(0, 4096, None));
}

// S3-10
#[test]
fn numbers_may_be_digits_and_nulls_are_defaults() {
    let input = json!({"ref_id": "r-1", "offset": "12", "limit": 7, "search": "x"});
    assert_eq!(ReadRequest::from_input(&input).unwrap(), request(12, 7, Some("x")));
    let input = json!({"ref_id": "r-1", "offset": 12.0, "limit": 7.0});
    assert_eq!(ReadRequest::from_input(&input).unwrap(), request(12, 7, None));
    let input = json!({"ref_id": "r-1", "offset": null, "limit": null, "search": null});
    assert_eq!(ReadRequest::from_input(&input).unwrap(), request(0, 4096, None));
}

#[test]
fn wrong_arguments_are_named() {
    for (input, name) in [
        (json!({}), "\"ref_id\""),
        (json!([]), "\"ref_id\""),
        (json!({"ref_id": 3}), "\"ref_id\""),
        (json!({"ref_id": "r", "offset": -1}), "\"offset\""),
        (json!({"ref_id": "r", "offset": 1.5}), "\"offset\""),
        (json!({"ref_id": "r", "limit": "many"}), "\"limit\""),
        (json!({"ref_id": "r", "search": ["a"]}), "\"search\""),
    ] {
        let error = ReadRequest::from_input(&input).unwrap_err();
        assert!(matches!(error, ReadError::Input(_)));
        assert!(error.to_string().contains(name), "{input}: {error}");
    }
}

#[test]
fn limits_are_kept_between_one_and_the_most() {
    assert_eq!(request(0, 0, None).page_bytes(), 4096);
    assert_eq!(request(0, 1, None).page_bytes(), 1);
    assert_eq!(request(0, u64::MAX, None).page_bytes(), 16_384);
    assert_eq!(request(0, 1, Some(" \n ")).query(), None);
}
