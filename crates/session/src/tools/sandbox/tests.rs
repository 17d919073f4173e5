//! Tests of what the sandbox leaves open.

use std::path::Path;

use throughline_tools::SandboxStatus;

use super::{build_caches, is_enforced};

#[test]
fn a_partly_enforced_sandbox_does_not_count() {
    assert!(is_enforced(&SandboxStatus::Enforced));
    assert!(!is_enforced(&SandboxStatus::Partly("early".to_owned())));
    assert!(!is_enforced(&SandboxStatus::Unavailable("none".to_owned())));
}

#[test]
fn no_folder_that_holds_all_caches_is_writable() {
    let home = std::env::var_os("HOME").unwrap_or_default();
    let home = Path::new(&home);
    let all = build_caches();
    for folder in [
        home,
        &home.join(".cache"),
        &home.join(".cache/uv"),
        &home.join(".cache/deno"),
        &home.join(".cargo"),
        &home.join(".cargo/bin"),
        &home.join(".npm"),
    ] {
        assert!(!all.iter().any(|open| folder.starts_with(open)), "{}", folder.display());
    }
}
