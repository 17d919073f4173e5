//! Laws over random lives of a session: documents, checkpoints and memory on, groups and compactions undone and
//! redone, groups deleted, models switched, runs cut off.

#[path = "lives/acts.rs"]
mod acts;
#[path = "lives/laws.rs"]
mod laws;
#[path = "lives/round_trips.rs"]
mod round_trips;
#[path = "lives/stage.rs"]
mod stage;

use proptest::prelude::*;

use acts::{Act, acts};
use stage::Life;

fn run(acts: &[Act], window: u64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut life = Life::begin(window).await;
        for act in acts {
            life.step(act).await;
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    // S4-15 S4-16 S4-17: I-1, I-8
    #[test]
    fn laws_hold_over_lives_in_a_small_window(acts in acts()) {
        run(&acts, 6_000);
    }

    #[test]
    fn laws_hold_over_lives_in_a_large_window(acts in acts()) {
        run(&acts, 30_000);
    }
}
