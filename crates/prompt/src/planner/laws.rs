//! Laws of the planner over growing and edited transcripts, against the provider's own rule of finding a prefix.

use std::collections::BTreeSet;

use proptest::prelude::{Just, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};
use throughline_completion::CacheRules;
use throughline_conversation::{CacheBreakpoint, Place};
use throughline_testkit::view;

use super::{BreakpointPlanner, PlanInput, SectionFigures};

const TOOLS: usize = 3;
const LOOKBACK: usize = 20;

/// The provider's cache, which knows prefixes by epoch and by the number of blocks in them.
///
/// A prefix is written where a marker is, and found by a marker that is at its end or less than the lookback
/// behind it.
#[derive(Default)]
struct Provider {
    written: BTreeSet<(u64, usize)>,
}

impl Provider {
    /// Blocks that the request reads. Then everything that it marks is written.
    fn answer(&mut self, epoch: u64, sizes: &[usize], sections: usize, plan: &[CacheBreakpoint]) -> usize {
        let fixed = TOOLS + sections;
        let blocks = |place: Place| match place {
            Place::Tool(index) => index + 1,
            Place::Section(index) => TOOLS + index + 1,
            Place::Message(index) => fixed + sizes[..=index].iter().sum::<usize>(),
        };
        // Tools and system prompt outlive an epoch: their prefixes are those of every epoch.
        let key = |blocks: usize| if blocks <= fixed { (0, blocks) } else { (epoch, blocks) };
        let ends: Vec<usize> = plan.iter().map(|marker| blocks(marker.place)).collect();
        let found = |end: &usize| {
            let reach = end.saturating_sub(LOOKBACK - 1)..=*end;
            reach.rev().find(|at| self.written.contains(&key(*at))).unwrap_or(0)
        };
        let read = ends.iter().map(found).max().unwrap_or(0);
        self.written.extend(ends.iter().map(|end| key(*end)));
        read
    }
}

#[derive(Debug, Clone)]
enum Step {
    /// The model calls this many tools in parallel, and thinks first or not.
    Calls(usize, bool),
    /// The model answers, and the user sends this many messages in a row.
    Answer(usize),
    /// The same request once more.
    Again,
    /// A new epoch: a summary replaces everything.
    Compact,
}

fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1_usize..4, proptest::bool::ANY).prop_map(|(calls, thinks)| Step::Calls(calls, thinks)),
        2 => (20_usize..70, proptest::bool::ANY).prop_map(|(calls, thinks)| Step::Calls(calls, thinks)),
        3 => (1_usize..4).prop_map(Step::Answer),
        1 => Just(Step::Again),
        1 => Just(Step::Compact),
    ];
    proptest::collection::vec(step, 1..14)
}

fn grow(text: &mut String, step: &Step, serial: usize) {
    match step {
        Step::Calls(count, thinks) => {
            text.push_str("assistant:\n");
            if *thinks {
                text.push_str("  thinking: which file\n");
            }
            (0..*count).for_each(|call| text.push_str(&format!("  -> c{serial}-{call} read {{}}\n")));
            text.push_str("results:\n");
            (0..*count).for_each(|call| text.push_str(&format!("  c{serial}-{call} = fine\n")));
        }
        Step::Answer(users) => {
            text.push_str("assistant: done\n");
            (0..*users).for_each(|_| text.push_str("user: keep going\n"));
        }
        Step::Again => {}
        Step::Compact => *text = String::from("user: summary\n"),
    }
}

fn any_system() -> impl Strategy<Value = Vec<SectionFigures>> {
    (0_usize..5, 0_usize..3).prop_map(|(stable, other)| {
        let section = |cacheable| SectionFigures { tokens: 30, cacheable };
        let others = std::iter::repeat_n(section(false), other);
        std::iter::repeat_n(section(true), stable).chain(others).collect()
    })
}

proptest! {
    #[test]
    fn a_plan_is_in_order_and_no_longer_than_allowed(
        steps in any_steps(), system in any_system(), max_breakpoints in 0_usize..8, min_tokens in 0_u64..200,
    ) {
        let rules = CacheRules { max_breakpoints, min_tokens, lookback_blocks: LOOKBACK, marks_tools: true, step_tokens: 0, idle_ms: 300_000 };
        let mut planner = BreakpointPlanner::new();
        let (mut text, mut epoch) = (String::from("user: start\n"), 0);
        for (serial, step) in steps.iter().enumerate() {
            grow(&mut text, step, serial);
            epoch += u64::from(matches!(step, Step::Compact));
            let view = view(&text);
            let input = PlanInput {
                rules, tools: TOOLS, tools_tokens: 50, system: &system, entries: view.entries(),
                conversation_tokens: view.tokens(), epoch,
            };
            let plan = planner.plan(&input);
            prop_assert!(plan.len() <= max_breakpoints);
            prop_assert!(plan.is_sorted_by(|a, b| a.place < b.place), "{:?}", plan);
            for marker in &plan {
                let prefix = match marker.place {
                    Place::Tool(index) => { prop_assert_eq!(index, TOOLS - 1); 50 }
                    Place::Section(index) => {
                        prop_assert!(system[index].cacheable);
                        50 + 30 * (index as u64 + 1)
                    }
                    Place::Message(index) => {
                        let said: u64 = view.entries()[..=index].iter().map(|entry| entry.tokens).sum();
                        50 + 30 * system.len() as u64 + said
                    }
                };
                prop_assert!(prefix >= min_tokens);
            }
            prop_assert_eq!(planner.plan(&input), plan);
        }
    }

    // Within an epoch each request reads all that the one before has sent; a new epoch reads the stable front.
    #[test]
    fn each_request_reads_all_that_was_sent_before(steps in any_steps(), system in any_system()) {
        let rules = CacheRules { max_breakpoints: 4, min_tokens: 0, lookback_blocks: LOOKBACK, marks_tools: true, step_tokens: 0, idle_ms: 300_000 };
        let (mut planner, mut provider) = (BreakpointPlanner::new(), Provider::default());
        let (mut text, mut epoch, mut sent) = (String::from("user: start\n"), 0, None);
        for (serial, step) in steps.iter().enumerate() {
            grow(&mut text, step, serial);
            if matches!(step, Step::Compact) {
                epoch += 1;
                let stable = system.iter().filter(|section| section.cacheable).count();
                sent = sent.map(|_| TOOLS + stable);
            }
            let view = view(&text);
            let plan = planner.plan(&PlanInput {
                rules, tools: TOOLS, tools_tokens: 50, system: &system, entries: view.entries(),
                conversation_tokens: view.tokens(), epoch,
            });
            let sizes: Vec<usize> = view.entries().iter().map(|entry| entry.message.content.len()).collect();
            let read = provider.answer(epoch, &sizes, system.len(), &plan);
            prop_assert_eq!(read, sent.unwrap_or(0));
            sent = Some(TOOLS + system.len() + sizes.iter().sum::<usize>());
        }
    }
}
