//! The shares of a prompt.

use throughline_conversation::Usage;

use super::share;

#[test]
fn a_part_of_a_prompt_is_read_then_written_then_plain() {
    let used = Usage { cache_read: 100, cache_write: 50, input: 10, output: 7, searches: 0 };
    let parts = [(0, 40), (40, 120), (120, 155), (155, 160), (160, 200)];
    let shares = parts.map(|(from, to)| {
        let Usage { cache_read, cache_write, input, output, .. } = share(used, from, to);
        [cache_read, cache_write, input, output]
    });
    assert_eq!(shares, [[40, 0, 0, 0], [60, 20, 0, 0], [0, 30, 5, 0], [0, 0, 5, 0], [0, 0, 0, 0]]);
    let sum: u64 = shares.iter().flatten().sum();
    assert_eq!(sum, used.prompt());
}
