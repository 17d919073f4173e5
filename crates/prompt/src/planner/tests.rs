//! Plans, written as places: `T0` a tool, `S1` a section, `M4` a message.

use expect_test::{Expect, expect};
use throughline_completion::CacheRules;
use throughline_conversation::{Place, SectionText, View};
use throughline_testkit::{WordCounter, view};

use super::{BreakpointPlanner, PlanInput, SectionFigures};

/// Four markers, prefixes from 10 tokens on.
const RULES: CacheRules = CacheRules {
    max_breakpoints: 4,
    min_tokens: 10,
    lookback_blocks: 20,
    marks_tools: true,
    step_tokens: 0,
    idle_ms: 300_000,
};

const STABLE: SectionFigures = SectionFigures { tokens: 10, cacheable: true };
const SKILL: SectionFigures = SectionFigures { tokens: 10, cacheable: false };

/// Base, project, memory and a skill that is not cacheable.
const SYSTEM: &[SectionFigures] = &[STABLE, STABLE, STABLE, SKILL];

fn input(view: &View) -> PlanInput<'_> {
    PlanInput {
        rules: RULES,
        tools: 2,
        tools_tokens: 10,
        system: SYSTEM,
        entries: view.entries(),
        conversation_tokens: view.tokens(),
        epoch: view.epoch(),
    }
}

fn check(planner: &mut BreakpointPlanner, input: &PlanInput<'_>, after: &Expect) {
    let show = |place: Place| match place {
        Place::Tool(index) => format!("T{index}"),
        Place::Section(index) => format!("S{index}"),
        Place::Message(index) => format!("M{index}"),
    };
    let plan = planner.plan(input);
    assert_eq!(planner.plan(input), plan, "planning again moves no marker");
    let places: Vec<String> = plan.iter().map(|marker| show(marker.place)).collect();
    after.assert_eq(&places.join(" "));
}

fn step(id: &str) -> String {
    format!("assistant: look\n  -> {id} read {{}}\nresults:\n  {id} = fine\n")
}

// S3-12 S3-13
#[test]
fn markers_follow_the_conversation_and_the_fixed_ones_stay() {
    let mut planner = BreakpointPlanner::new();
    let mut text = String::from("user: hello\n");
    // One marker is left over at first: it goes to the longest stable section that has none.
    check(&mut planner, &input(&view(&text)), &expect!["T1 S1 S2 M0"]);
    text.push_str(&step("a"));
    check(&mut planner, &input(&view(&text)), &expect!["T1 S2 M0 M2"]);
    text.push_str(&step("b"));
    check(&mut planner, &input(&view(&text)), &expect!["T1 S2 M2 M4"]);
    text.push_str("assistant: done\nuser: next\n");
    check(&mut planner, &input(&view(&text)), &expect!["T1 S2 M4 M6"]);
}

#[test]
fn too_few_markers_go_where_most_is_saved() {
    let before = view("user: hello\n");
    let after = view(&format!("user: hello\n{}", step("a")));
    let plans = [
        (0, expect![""]),
        (1, expect!["M2"]),
        (2, expect!["M0 M2"]),
        (3, expect!["S2 M0 M2"]),
        (5, expect!["T1 S1 S2 M0 M2"]),
        (9, expect!["T1 S0 S1 S2 M0 M2"]),
    ];
    for (max_breakpoints, expected) in plans {
        let rules = CacheRules { max_breakpoints, ..RULES };
        let mut planner = BreakpointPlanner::new();
        planner.plan(&PlanInput { rules, ..input(&before) });
        check(&mut planner, &PlanInput { rules, ..input(&after) }, &expected);
    }
}

#[test]
fn a_short_prefix_gets_no_marker() {
    let view = view("user: one two three\n");
    let of = |min_tokens| PlanInput { rules: CacheRules { min_tokens, ..RULES }, ..input(&view) };
    check(&mut BreakpointPlanner::new(), &of(11), &expect!["S0 S1 S2 M0"]);
    check(&mut BreakpointPlanner::new(), &of(31), &expect!["S2 M0"]);
    check(&mut BreakpointPlanner::new(), &of(53), &expect!["M0"]);
    check(&mut BreakpointPlanner::new(), &of(54), &expect![""]);
}

#[test]
fn a_new_epoch_drops_the_markers_of_the_old_one() {
    let mut planner = BreakpointPlanner::new();
    let long = view(&format!("user: hello\n{}{}", step("a"), step("b")));
    check(&mut planner, &input(&long), &expect!["T1 S1 S2 M4"]);
    let short = view("user: summary\nassistant: ok\nuser: keep going\n");
    check(&mut planner, &PlanInput { epoch: 1, ..input(&short) }, &expect!["T1 S1 S2 M2"]);
    let longer = view("user: summary\nassistant: ok\nuser: keep going\nassistant: yes\nuser: more\n");
    check(&mut planner, &PlanInput { epoch: 1, ..input(&longer) }, &expect!["T1 S2 M2 M4"]);
    // Fewer messages without a new epoch cannot be, and do no harm.
    check(&mut planner, &PlanInput { epoch: 1, ..input(&short) }, &expect!["T1 S1 S2 M2"]);
}

#[test]
fn a_message_that_ends_with_thinking_carries_no_marker() {
    let mut planner = BreakpointPlanner::new();
    let thinks = view("user: hello there\nassistant: hm\n  thinking: let me see\n");
    check(&mut planner, &input(&thinks), &expect!["T1 S1 S2 M0"]);
    // The tokens behind the marker are not in front of it.
    let rules = CacheRules { min_tokens: 53, ..RULES };
    check(&mut BreakpointPlanner::new(), &PlanInput { rules, ..input(&thinks) }, &expect![""]);
}

#[test]
fn many_parallel_results_get_a_marker_between_when_one_is_free() {
    let calls: String = (0..30).map(|id| format!("  -> c{id} read {{}}\n")).collect();
    let results: String = (0..30).map(|id| format!("  c{id} = fine\n")).collect();
    let before = view("user: hello\n");
    let after = view(&format!("user: hello\nassistant: look\n{calls}results:\n{results}"));
    let mut planner = BreakpointPlanner::new();
    planner.plan(&input(&before));
    check(&mut planner, &input(&after), &expect!["T1 S2 M0 M2"]);

    let bare = |view| PlanInput { tools: 0, tools_tokens: 0, ..input(view) };
    let mut planner = BreakpointPlanner::new();
    planner.plan(&bare(&before));
    check(&mut planner, &bare(&after), &expect!["S2 M0 M1 M2"]);
}

/// A step of this many calls in parallel: as many blocks, and as many again for their results.
fn parallel(id: &str, count: usize) -> String {
    let calls: String = (0..count).map(|call| format!("  -> {id}{call} read {{}}\n")).collect();
    let results: String = (0..count).map(|call| format!("  {id}{call} = fine\n")).collect();
    format!("assistant:\n{calls}results:\n{results}")
}

#[test]
fn the_marker_between_is_half_way_when_more_than_twice_the_reach_was_added() {
    fn bare(view: &View) -> PlanInput<'_> {
        PlanInput { tools: 0, tools_tokens: 0, ..input(view) }
    }

    let before = view("user: hello\n");
    let plans = [
        (parallel("a", 20), expect!["S1 S2 M0 M2"]),
        (parallel("a", 21), expect!["S2 M0 M1 M2"]),
        // Messages of 15 blocks: the second of four ends at 30 of 60.
        (parallel("a", 15) + &parallel("b", 15), expect!["S2 M0 M2 M4"]),
        // The first of four ends at 30 of 66.
        (parallel("a", 30) + &parallel("b", 3), expect!["S2 M0 M1 M4"]),
    ];
    for (added, expected) in plans {
        let after = view(&format!("user: hello\n{added}"));
        let mut planner = BreakpointPlanner::new();
        planner.plan(&bare(&before));
        check(&mut planner, &bare(&after), &expected);
    }
}

#[test]
fn where_only_markers_are_looked_at_tools_and_what_is_between_get_none() {
    let rules = CacheRules { min_tokens: 10, ..CacheRules::openai_marked() };
    let calls: String = (0..30).map(|id| format!("  -> c{id} read {{}}\n")).collect();
    let results: String = (0..30).map(|id| format!("  c{id} = fine\n")).collect();
    let before = view("user: hello\n");
    let after = view(&format!("user: hello\nassistant: look\n{calls}results:\n{results}"));
    let mut planner = BreakpointPlanner::new();
    check(&mut planner, &PlanInput { rules, ..input(&before) }, &expect!["S0 S1 S2 M0"]);
    check(&mut planner, &PlanInput { rules, ..input(&after) }, &expect!["S1 S2 M0 M2"]);
}

#[test]
fn the_figures_of_a_system_prompt_are_those_of_its_sections() {
    let section = |text: &str, cacheable| SectionText {
        name: "any".to_owned(),
        text: text.to_owned(),
        cacheable,
        skill: false,
    };
    let system = [section("one two", true), section("one two three", false)];
    let figures =
        [SectionFigures { tokens: 2, cacheable: true }, SectionFigures { tokens: 3, cacheable: false }];
    assert_eq!(SectionFigures::of(&system, &WordCounter), figures);
}

#[test]
fn a_request_without_messages_or_sections_is_planned_too() {
    let empty = view("");
    check(&mut BreakpointPlanner::new(), &input(&empty), &expect!["T1 S0 S1 S2"]);
    let bare = PlanInput { tools: 0, tools_tokens: 0, system: &[], ..input(&empty) };
    check(&mut BreakpointPlanner::new(), &bare, &expect![""]);
}
