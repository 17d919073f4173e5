//! Tests of the size limits.

use super::back_off;

#[test]
fn the_first_restart_is_immediate_and_later_ones_back_off() {
    let waits: Vec<u64> = (0..10).map(|failures| back_off(failures).as_secs()).collect();
    assert_eq!(waits, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
    assert_eq!(back_off(u32::MAX).as_secs(), 60);
}
