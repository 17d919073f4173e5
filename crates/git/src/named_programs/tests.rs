//! What is turned off.

use expect_test::expect;

use super::without_programs;

#[test]
fn every_filter_is_set_to_nothing_once() {
    let listing = b"core.bare\0filter.lfs.clean\0filter.lfs.smudge\0filter.clean\0filter.a.b c.process\0filter..clean\0";
    expect![[r#"
        [
            "-c",
            "filter..clean=",
            "-c",
            "filter..smudge=",
            "-c",
            "filter..process=",
            "-c",
            "filter..required=false",
            "-c",
            "filter.a.b c.clean=",
            "-c",
            "filter.a.b c.smudge=",
            "-c",
            "filter.a.b c.process=",
            "-c",
            "filter.a.b c.required=false",
            "-c",
            "filter.lfs.clean=",
            "-c",
            "filter.lfs.smudge=",
            "-c",
            "filter.lfs.process=",
            "-c",
            "filter.lfs.required=false",
        ]
    "#]]
    .assert_debug_eq(&without_programs(listing).unwrap());
    assert_eq!(without_programs(b"core.bare\0user.name\0"), Ok(Vec::new()));
    assert_eq!(without_programs(b""), Ok(Vec::new()));
}

#[test]
fn every_hook_of_the_settings_is_turned_off() {
    let listing = b"hook.a b.event\0hook.a b.command\0hook.post-checkout.command\0hook.jobs\0";
    expect![[r#"
        [
            "-c",
            "hook.a b.enabled=false",
            "-c",
            "hook.post-checkout.enabled=false",
        ]
    "#]]
    .assert_debug_eq(&without_programs(listing).unwrap());
}

#[test]
fn a_name_that_no_argument_can_have_is_refused() {
    for listing in
        [&b"filter.a=b.clean\0"[..], b"filter.\xff.clean\0", b"filter.a\nb.process\0", b"hook.a=b.event\0"]
    {
        let why = without_programs(listing).unwrap_err();
        assert!(why.contains("cannot be turned off"), "{why}");
    }
}
