//! What holds whatever happens.

use std::sync::Arc;

use proptest::prelude::*;
use throughline_conversation::{ToolDefinition, ToolOrigin};
use throughline_testkit::WordCounter;

use super::{names, tool};
use crate::manager::{DeferralManager, ToolSelection};
use crate::policy::DeferralPolicy;
use crate::tool_history::ToolHistory;

#[derive(Debug, Clone)]
enum Step {
    Promote(Vec<usize>),
    Use(usize),
    NextTurn(u64),
    NextEpoch,
    /// Takes another part of the tools as the catalogue.
    Catalogue(usize, usize),
    Resume,
    Nothing,
}

const ALL: usize = 16;

fn every_tool() -> Vec<ToolDefinition> {
    let name = |n: usize| format!("{}{n}", ["b", "s", "m", "m"][n % 4]);
    (0..ALL).map(|n| tool(&name(n))).collect()
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => prop::collection::vec(0..ALL, 1..4).prop_map(Step::Promote),
        3 => (0..ALL).prop_map(Step::Use),
        2 => (1_u64..15).prop_map(Step::NextTurn),
        2 => Just(Step::NextEpoch),
        1 => (0..ALL / 2, ALL / 2..=ALL).prop_map(|(from, to)| Step::Catalogue(from, to)),
        1 => Just(Step::Resume),
        1 => Just(Step::Nothing),
    ]
}

/// The selections after each step, with their epochs, for tools that come in some order.
fn run(
    tools: &[ToolDefinition],
    steps: &[Step],
    window: u64,
) -> Vec<(u64, ToolSelection, Vec<ToolDefinition>)> {
    let sorted = every_tool();
    let mut manager = DeferralManager::new(DeferralPolicy::default());
    let (mut catalogue, mut epoch, mut turn): (Arc<[ToolDefinition]>, u64, u64) = (tools.into(), 0, 1);
    let mut out =
        vec![(epoch, manager.select(&catalogue, &WordCounter, window, epoch, turn), catalogue.to_vec())];
    for step in steps {
        match step {
            Step::Promote(indices) => {
                let found: Vec<String> = indices.iter().map(|index| sorted[*index].name.clone()).collect();
                manager.promote(&found, turn);
            }
            Step::Use(index) => manager.mark_used(&sorted[*index].name, turn),
            Step::NextTurn(by) => turn += by,
            Step::NextEpoch => epoch += 1,
            Step::Catalogue(from, to) => {
                let part = |tool: &&ToolDefinition| sorted[*from..*to].contains(tool);
                catalogue = tools.iter().filter(part).cloned().collect();
            }
            Step::Resume => {
                let last = Arc::clone(&out[out.len() - 1].1.active);
                manager = DeferralManager::new(DeferralPolicy::default());
                manager.restore(&last, ToolHistory::default());
            }
            Step::Nothing => {}
        }
        out.push((epoch, manager.select(&catalogue, &WordCounter, window, epoch, turn), catalogue.to_vec()));
    }
    out
}

proptest! {
    #[test]
    fn within_an_epoch_the_list_only_grows_at_its_end(
        steps in prop::collection::vec(step(), 0..40), window in 0_u64..3_000,
    ) {
        for pair in run(&every_tool(), &steps, window).windows(2) {
            let ((before_epoch, before, _), (epoch, after, _)) = (&pair[0], &pair[1]);
            if before_epoch == epoch {
                prop_assert!(after.active.starts_with(&before.active), "{} -> {}", names(before), names(after));
            }
            let same = before.active == after.active;
            prop_assert_eq!(after.changed.is_none(), same, "{} -> {}", names(before), names(after));
        }
    }

    // S3-16
    #[test]
    fn a_plan_has_all_built_in_tools_and_no_stranger(
        steps in prop::collection::vec(step(), 0..40), window in 0_u64..3_000,
    ) {
        let mut planned = None;
        for (epoch, selection, catalogue) in run(&every_tool(), &steps, window) {
            prop_assert_eq!(selection.tokens, 15 * selection.active.len() as u64);
            let held = catalogue.iter().filter(|tool| !selection.active.contains(tool)).count();
            prop_assert_eq!(selection.deferred, held);
            if planned.replace(epoch) != Some(epoch) {
                let there = |tool: &&ToolDefinition| selection.active.contains(tool);
                let builtin = catalogue.iter().filter(|tool| tool.origin == ToolOrigin::Builtin);
                prop_assert!(builtin.clone().all(|tool| there(&tool)));
                prop_assert!(selection.active.iter().all(|tool| catalogue.contains(tool)));
            }
        }
    }

    #[test]
    fn the_order_of_the_catalogue_does_not_show(
        steps in prop::collection::vec(step(), 0..20), window in 0_u64..3_000, tools in Just(every_tool()).prop_shuffle(),
    ) {
        let lists = |tools: &[ToolDefinition]| -> Vec<String> {
            run(tools, &steps, window).iter().map(|(_, selection, _)| names(selection)).collect()
        };
        prop_assert_eq!(lists(&tools), lists(&every_tool()));
    }
}
