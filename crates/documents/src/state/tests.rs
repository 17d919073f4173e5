//! The four fields.

use proptest::prelude::*;

use super::State;

fn fields(text: &str) -> [String; 4] {
    let state = State::parse(text).unwrap_or_default();
    [state.goal, state.context, state.resolved, state.technical_anchors]
}

// S4-10
#[test]
fn the_plain_form() {
    let text =
        "Goal: fix the parser\nContext: parser.rs, Lexer\nResolved: tests run\nTechnical Anchors: port 8080";
    let state = State::parse(text).unwrap();
    assert_eq!(state.text, text);
    assert_eq!(fields(text), ["fix the parser", "parser.rs, Lexer", "tests run", "port 8080"]);
    let same = State::of("fix the parser", "parser.rs, Lexer", "tests run", "port 8080");
    assert_eq!(same, state);
    assert_eq!(State::parse(&format!("### STATE\n{text}")), Some(state));
}

#[test]
fn other_ways_to_write_it() {
    let check = |text: &str| assert_eq!(fields(text), ["g", "c", "r", "t"], "{text}");
    check("**Goal**: g\n**Context**: c\n**Resolved**: r\n**Technical Anchors**: t");
    check("**Goal:** g\n**Context:** c\n**Resolved:** r\n**Technical Anchors:** t");
    check("- **Goal**: g\n- **Context:** c\n* Resolved: r\n- Technical anchors: t");
    check("#### Goal\ng\n#### Context\nc\n#### Resolved\nr\n#### Technical Anchors\nt");
    check("**Goal**\ng\n**Context**\nc\n**Resolved**\nr\n**Technical Anchors**\nt");
    check(
        "Technical Anchors: t\nRESOLVED: r\nin front of it all\nGoal: g\nContext: c"
            .replace("\nin front of it all", "")
            .as_str(),
    );
    check("in front of it all\nGoal: x\nGoal: g\nContext: c\nResolved: r\nTechnical Anchors: t");
}

#[test]
fn continuation_lines_belong_to_the_field() {
    let text = "Goal: fix it\nand test it\nResolved:\n- one\n- two\n  - deep\n\nTechnical Anchors:\n```\nContext: code\n```";
    let expected = ["fix it\nand test it", "", "- one\n- two\n  - deep", "```\nContext: code\n```"];
    assert_eq!(fields(text), expected);
    assert_eq!(fields("Goal: **bold** text")[0], "**bold** text");
    assert_eq!(fields("Goals: many\nGoal: g")[0], "g", "another word is no label");
    assert_eq!(
        fields("Goal: a\n  - Context: b")[0],
        "a\n  - Context: b",
        "an item within an item is no label"
    );
}

// F-26
#[test]
fn nothing_is_no_state() {
    for text in ["", "Goal:", "Goal: \nContext:\n", "just text", "Goal: \u{200b}", "### STATE"] {
        assert_eq!(State::parse(text), None, "{text:?}");
    }
    let form = include_str!("../guidelines/state_every_response.md");
    let (_, block) = form.split_once("### STATE\n").unwrap();
    let (block, _) = block.split_once("\n\n").unwrap();
    assert_eq!(State::parse(block), None, "a copy of the form says nothing");
}

#[test]
fn invisible_characters_are_left_out() {
    assert_eq!(State::parse("Goal: a\u{e0041}\u{202e}b").unwrap(), State::parse("Goal: ab").unwrap());
}

proptest! {
    #[test]
    fn the_plain_form_reads_back(values in prop::array::uniform4("([a-z0-9][a-z0-9 ./é-]{0,20}(\n- [a-z ]{1,9}){0,2})?")) {
        let [goal, context, resolved, anchors] = &values;
        let state = State::of(goal, context, resolved, anchors);
        match State::parse(&state.text) {
            Some(read) => prop_assert_eq!(read, state),
            None => prop_assert!(values.iter().all(String::is_empty)),
        }
    }

    #[test]
    fn reading_twice_changes_nothing(text in "(Goal: |Context:|- |\\*\\*|[a-zé\u{200b}\u{202e} ]|\n|```){0,30}") {
        if let Some(state) = State::parse(&text) {
            prop_assert_eq!(State::parse(&state.text), Some(state));
        }
    }
}
