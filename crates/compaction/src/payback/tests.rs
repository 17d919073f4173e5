//! Payback by hand-made figures.

use super::pays_back_after;

#[test]
fn removing_much_pays_back_soon() {
    // Rewriting 11,000 tokens costs 11,000 × 1.15 = 12,650; 50,000 × 0.1 = 5,000 are saved by each request.
    assert_eq!(pays_back_after(50_000, 11_000, 0.1, 1.25), Some(3));
}

#[test]
fn removing_little_pays_back_late() {
    assert_eq!(pays_back_after(100, 11_000, 0.1, 1.25), Some(1_265));
}

#[test]
fn without_a_dearer_write_it_pays_at_once() {
    assert_eq!(pays_back_after(1, 11_000, 1.0, 1.0), Some(0));
    assert_eq!(pays_back_after(1, 0, 0.1, 1.25), Some(0));
}

#[test]
fn without_a_saving_it_never_pays() {
    assert_eq!(pays_back_after(0, 11_000, 0.1, 1.25), None);
    assert_eq!(pays_back_after(10, 11_000, 0.0, 1.25), None);
}
