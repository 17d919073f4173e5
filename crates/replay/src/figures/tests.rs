//! Cuts and whether they paid back.

use throughline_completion::PrefixUse;

use super::Figures;
use crate::bill::BilledRequest;
use crate::recall::Looked;

fn add(figures: &mut Figures, read: u64, write: u64, new: u64) {
    let warm = PrefixUse { read, write, uncached: 0 };
    let full = PrefixUse { read: 100_000, write: new, uncached: 0 };
    figures.add(&BilledRequest { warm, full, ..BilledRequest::default() }, &Looked::default());
}

#[test]
fn a_cut_is_overtaken_when_the_next_one_comes_before_it_has_paid_back() {
    let mut figures = Figures::default();
    add(&mut figures, 0, 50_000, 50_000);
    add(&mut figures, 50_000, 1_000, 1_000);
    assert_eq!((figures.rewrites, figures.cuts), (0, 0));
    // 10,000 tokens written instead of 45,000 read and 1,000 written: 4,000 + 1,250 against 13,100 more than that.
    add(&mut figures, 6_000, 10_000, 1_000);
    assert_eq!((figures.rewrites, figures.cuts, figures.cuts_overtaken), (1, 1, 0));
    add(&mut figures, 16_000, 1_000, 1_000);
    // It saves 3,600 with each request: after one it has not paid back 6,750.
    add(&mut figures, 6_000, 5_000, 1_000);
    assert_eq!((figures.cuts, figures.cuts_overtaken), (2, 1));
    for step in 0..40 {
        add(&mut figures, 11_000 + step * 1_000, 1_000, 1_000);
    }
    add(&mut figures, 6_000, 5_000, 1_000);
    assert_eq!((figures.cuts, figures.cuts_overtaken), (3, 1));
    // A prefix that changed without getting smaller is a rewrite only.
    add(&mut figures, 6_000, 6_000, 1_000);
    assert_eq!((figures.rewrites, figures.cuts), (4, 3));
}
