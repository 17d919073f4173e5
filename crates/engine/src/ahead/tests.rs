//! What summaries that are written ahead may cost.

use throughline_conversation::Millis;

use super::Ahead;

fn enabled(paid: f64) -> Ahead {
    let mut ahead = Ahead::new(true);
    ahead.pay(paid);
    ahead
}

#[test]
fn what_is_thrown_away_costs_at_most_a_fiftieth() {
    let mut ahead = enabled(1_000_000.0);
    let mut thrown = 0.0;
    for _ in 0..100 {
        if ahead.may_begin(9_000.0) {
            let number = ahead.begin(Millis(0));
            ahead.forget();
            assert!(!ahead.end(number, true, Millis(9)), "the view has changed");
            ahead.throw_away(9_000.0);
            thrown += 9_000.0;
        }
    }
    assert_eq!(thrown, 18_000.0);
}

#[test]
fn one_is_written_at_a_time_and_a_failure_ends_them_until_the_view_changes() {
    assert!(!Ahead::default().may_begin(0.0), "the loop runs none");
    let mut ahead = enabled(1_000_000.0);
    let number = ahead.begin(Millis(0));
    assert!(!ahead.may_begin(1.0));
    assert!(!ahead.end(number, false, Millis(9)));
    assert!(!ahead.is_writing() && !ahead.may_begin(1.0));
    ahead.forget();
    let number = ahead.begin(Millis(0));
    assert!(ahead.end(number, true, Millis(9)));
    assert_eq!(ahead.took(), Some(9));
    assert!(!ahead.abandon(), "nothing is being written");
}
