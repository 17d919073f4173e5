//! The sizes, as a table.

use expect_test::{Expect, expect};

use crate::policy::{OffloadPolicy, PreviewFormat, inline_room, message_room};

fn check(windows: &[u64], after: &Expect) {
    let row = |window: &u64| {
        let policy = OffloadPolicy::for_window(*window);
        assert_eq!(policy.format, PreviewFormat::HeadTail);
        let OffloadPolicy { threshold_bytes, head_bytes, tail_bytes, error_lines, .. } = policy;
        format!("{window}: over {threshold_bytes} -> {head_bytes} + {tail_bytes}, {error_lines} lines\n")
    };
    after.assert_eq(&windows.iter().map(row).collect::<String>());
}

#[test]
fn sizes_follow_the_window() {
    check(
        &[0, 8_000, 16_000, 32_000, 64_000, 82_000, 100_000, 200_000, 1_000_000],
        &expect![[r#"
            0: over 375 -> 156 + 93, 0 lines
            8000: over 3000 -> 1250 + 750, 3 lines
            16000: over 6000 -> 2500 + 1500, 6 lines
            32000: over 12000 -> 5000 + 3000, 12 lines
            64000: over 12000 -> 5000 + 3000, 12 lines
            82000: over 18000 -> 8500 + 4500, 12 lines
            100000: over 24000 -> 12000 + 6000, 12 lines
            200000: over 24000 -> 12000 + 6000, 12 lines
            1000000: over 24000 -> 12000 + 6000, 12 lines
        "#]],
    );
}

// S3-07
#[test]
fn the_seed_stores_what_is_over_4096_bytes() {
    let policy = OffloadPolicy::seed();
    assert_eq!((policy.threshold_bytes, policy.format), (4096, PreviewFormat::Seed));
}

/// At 3.6 bytes a token, what stays inline and what a preview shows are near a tenth of a small window.
#[test]
fn one_result_is_at_most_about_a_tenth_of_the_window() {
    for window in [4_000_u64, 8_000, 16_000, 32_000, 64_000, 128_000] {
        let policy = OffloadPolicy::for_window(window);
        let preview = policy.head_bytes + policy.tail_bytes + policy.error_lines * 215 + 260;
        let most = policy.threshold_bytes.max(preview);
        assert!(most as f64 / 3.6 <= window as f64 * 0.11, "{window}: {most} bytes");
    }
}

#[test]
fn what_could_not_be_stored_may_take_an_eighth_of_the_free_tokens_and_a_message_a_quarter() {
    assert_eq!((inline_room(80_000), message_room(80_000)), (30_000, 60_000));
    assert_eq!((inline_room(7), message_room(7)), (0, 0));
}
