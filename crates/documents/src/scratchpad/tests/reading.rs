//! Plan, decisions and blockers.

use expect_test::{Expect, expect};

use super::super::{blockers, decisions, plan};

/// The document of the layout's description, with all kinds of entries.
const FULL: &str = "# Task Scratchpad

## Current Understanding
- Main entry point is main.go

## Current Plan
1. [x] Explore codebase structure
2. [X] Identify files to modify
   - how: with grep
   - [ ] the tests too
3. [~] Implement the feature
4. Add tests
- [ ] Run quality gates
Some prose.

## Key Decisions
- Using table-driven tests
  for consistency
- Adding new field
  - not a new type

Plain sentence.

## Blockers
- None currently

## Last Action
Added the new field.";

fn steps(text: &str, expect: &Expect) {
    let lines = plan(text).into_iter().map(|item| format!("{}: {}", item.status, item.description));
    expect.assert_eq(&lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_plan() {
    steps(
        FULL,
        &expect![[r#"
            completed: Explore codebase structure
            completed: Identify files to modify
            pending: the tests too
            in_progress: Implement the feature
            pending: Add tests
            pending: Run quality gates"#]],
    );
    steps("# Plan\n- [ ] a\n## Sub\n- [x] b\n# Other\n- c", &expect!["pending: a\ncompleted: b"]);
    steps("- [ ] outside of a plan", &expect![""]);
    steps("## Current Plan\n```\n- [ ] code\n```\n- [ ]\n", &expect![""]);
}

// S0-34
#[test]
fn the_decisions() {
    let expected =
        ["Using table-driven tests for consistency", "Adding new field; not a new type", "Plain sentence."];
    assert_eq!(decisions(FULL), expected);
    assert_eq!(decisions("## key decisions:\n1. a\n2) b"), ["a", "b"]);
    assert_eq!(decisions("## Key Decisions\n- a\n\n  more of a\n\nb"), ["a more of a", "b"]);
    assert_eq!(decisions("nothing here"), [""; 0]);
}

#[test]
fn the_blockers() {
    assert_eq!(blockers(FULL), [""; 0]);
    for none in
        ["None", "- None.", "* none yet", "N/A", "- n/a", "No blockers.", "-", "None at the moment", "(none)"]
    {
        assert_eq!(blockers(&format!("## Blockers\n{none}")), [""; 0], "{none}");
    }
    for some in ["None of the tests run", "Nonexistent table", "No blockers table", "Waiting for a key"] {
        assert_eq!(blockers(&format!("## Blockers\n- {some}")), [some], "{some}");
    }
}
