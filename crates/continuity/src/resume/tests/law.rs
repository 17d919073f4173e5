//! Resume gives back what was left, for any log and a snapshot at any point.

use proptest::prelude::*;

use super::*;
use crate::contract::{assert_as_left, contract_resume, sample_log};

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_opened_is_what_was_left(seed: u64, length in 0_usize..120, cut in 0_usize..140) {
        run(contract_resume(
            &InMemoryMessageLog::new(),
            &InMemorySnapshotStore::new(),
            &session("s1"),
            seed,
            length,
            cut,
        ));
    }

    /// Whatever happened to the snapshot, the view is the one that was left.
    #[test]
    fn a_snapshot_that_is_of_no_use_costs_time_only(
        seed: u64,
        length in 1_usize..120,
        cut in 1_usize..140,
        damage in 0_u8..4,
    ) {
        run(async {
            let all = sample_log(seed, length);
            let kept = Kept::with_snapshot(&all, cut.min(all.len())).await;
            match damage {
                0 => kept.snapshots.damage(&kept.session, |snapshot| snapshot.epoch += 1),
                1 => kept.snapshots.damage(&kept.session, |snapshot| snapshot.covers = Seq(0)),
                2 => kept.snapshots.failures().fail_with("the disk is gone"),
                _ => {
                    let longer = sample_log(seed, all.len() + 5);
                    let view = project(&longer, &SampleCounter).unwrap();
                    kept.snapshots.save(&snapshot_of(&kept.session, &view, Millis(1))).await.unwrap();
                }
            }
            let resumed = kept.resume().await.unwrap();
            assert!(resumed.rebuilt.is_some() && !resumed.from_snapshot);
            let shaping = all.iter().filter(|record| record.body.shapes_view()).count();
            assert_eq!(resumed.records_read, shaping, "the whole log is read once");
            assert_as_left(&resumed, &all);
        });
    }

    /// Resuming twice, or from a snapshot of what was resumed, changes nothing.
    #[test]
    fn resuming_again_changes_nothing(seed: u64, length in 1_usize..80, cut in 1_usize..80) {
        run(async {
            let all = sample_log(seed, length);
            let kept = Kept::with_snapshot(&all, cut.min(all.len())).await;
            let first = kept.resume().await.unwrap();
            kept.snapshots.save(&snapshot_of(&kept.session, &first.view, Millis(2))).await.unwrap();
            let second = kept.resume().await.unwrap();
            assert_eq!(second.records_read, 0);
            assert_eq!(second.view, first.view);
        });
    }
}
