//! What a user reads of a refusal.

use super::without_advice;

#[test]
fn each_refusal_has_a_part_for_the_user() {
    let shown = [
        include_str!("../repetition.md"),
        include_str!("../repetition/cycle.md"),
        include_str!("../arguments.md"),
        "The user declined this call of shell; it was not run. Do not try to reach the same in another way: ask.",
        "2 failed",
    ]
    .map(without_advice);
    assert_eq!(
        shown,
        [
            "{name} was not run: it has just been called {count} times in a row with exactly these arguments",
            "{name} was not run: the last {count} requests of this turn only repeated earlier calls or failed, and this call was \
             made before.",
            "{name} was not run: your answer reached its output limit, and that cut off the arguments of this call.",
            "The user declined this call of shell; it was not run.",
            "2 failed"
        ]
    );
}
