//! The window by component.

use throughline_budget::{ContextBudget, MeasuredTokens, Meter, output_share};
use throughline_conversation::{Components, FigureSource, WindowFigures};

const PARTS: Components = Components { system: 1_000, skills: 200, tools: 3_000, conversation: 20_000 };

fn filled(total: u64, max_output: u64, used: Components) -> ContextBudget {
    let mut budget = ContextBudget::new(total, max_output);
    budget.measure_usage(&MeasuredTokens { used, source: FigureSource::Anchored, upper: used.total() });
    budget
}

#[test]
fn an_answer_takes_a_quarter_of_the_window_at_most() {
    assert_eq!([200_000, 8_192, 7, 3].map(output_share), [50_000, 2_048, 1, 1]);
}

// S3-01 S3-02
#[test]
fn the_effective_window_is_the_window_less_the_reserve_for_the_answer() {
    let budget = filled(100_000, 4_096, PARTS);
    assert_eq!(budget.effective_window(), 95_904);
    assert_eq!(budget.used_tokens(), 24_200);
    assert_eq!(budget.remaining_tokens(), 71_704);
    assert!((budget.used_percentage() - 25.233_566_9).abs() < 1e-6);
    assert!(!budget.exceeds_budget());
}

// S3-03
#[test]
fn a_measurement_fills_every_component_and_replaces_the_one_before() {
    let mut budget = filled(100_000, 4_096, PARTS);
    assert_eq!(budget.components(), PARTS);
    assert_eq!((budget.system_prompt, budget.skill_prompts), (1_000, 200));
    assert_eq!((budget.tool_descriptions, budget.conversation), (3_000, 20_000));
    assert_eq!(budget.source, FigureSource::Anchored);

    let smaller = Components { system: 10, conversation: 5, ..Components::default() };
    budget.measure_usage(&Meter::new().measure(smaller));
    assert_eq!(budget.components(), smaller);
    let figures = WindowFigures {
        total: 100_000,
        reserved_output: 4_096,
        used: smaller,
        source: FigureSource::Estimated,
    };
    assert_eq!(budget.window_figures(), figures);
}

// S3-05
#[test]
fn the_budget_is_exceeded_behind_the_effective_window_and_not_at_its_end() {
    let at = |conversation| filled(1_000, 100, Components { conversation, ..Components::default() });
    assert!(!at(900).exceeds_budget());
    assert!(at(901).exceeds_budget());
    assert_eq!(at(901).remaining_tokens(), 0);
    assert!((at(1_800).used_percentage() - 200.0).abs() < f64::EPSILON);
}

#[test]
fn a_reserve_as_large_as_the_window_leaves_no_room() {
    let none = ContextBudget::new(1_000, 2_000);
    assert_eq!((none.effective_window(), none.remaining_tokens()), (0, 0));
    assert!(none.used_percentage().abs() < f64::EPSILON);
    assert!(!none.exceeds_budget());

    let some = filled(1_000, 2_000, PARTS);
    assert!((some.used_percentage() - 100.0).abs() < f64::EPSILON);
    assert!(some.exceeds_budget());
}
