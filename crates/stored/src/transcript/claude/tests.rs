//! Ids of Claude Code that are made of ours.

use super::{is_made, uuid};

#[test]
fn ids_are_valid_equal_for_equal_sessions_and_recognised() {
    let id = uuid("20261129-1");
    assert_eq!(id, uuid("20261129-1"));
    assert_ne!(id, uuid("20261129-2"));
    let parts: Vec<usize> = id.split('-').map(str::len).collect();
    assert_eq!(parts, [8, 4, 4, 4, 12], "{id}");
    assert!(id.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit()), "{id}");
    assert!(is_made(&id));
    // Those of the agent itself are of version 4.
    assert!(!is_made("0f9d2c1e-6a52-4d0b-9c3f-0a1b2c3d4e5f"));
    assert!(!is_made("0f9d2c1e"));
}
