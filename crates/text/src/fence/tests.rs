//! Fences around JSON.

use super::without_fence;

#[test]
fn a_whole_fence_is_left_out_and_a_half_one_stays() {
    for (text, inner) in [
        ("\n```json\n{}\n```\n", "{}"),
        ("```\n{}```", "{}"),
        (" {} ", "{}"),
        ("```json\n{}", "```json\n{}"),
        ("{}\n```", "{}\n```"),
        ("```", "```"),
        ("", ""),
    ] {
        assert_eq!(without_fence(text), inner, "{text:?}");
    }
}
