//! Signals of documents in responses.

use proptest::prelude::*;

use super::{Malformed, ShownText, Signals, signals, signals_of_cut, without_documents};

fn scratchpad(text: &str) -> Option<String> {
    signals(text).scratchpad
}

fn state(text: &str) -> Option<String> {
    signals(text).state.map(|state| state.text)
}

// S0-13
#[test]
fn the_plain_signal() {
    let text = "I looked around.\nSCRATCHPAD:## Current Understanding\n- This is a Go project...\n\n## Last Action\nRead \
                main.go\n\nSIGNAL:DONE\nbye";
    let expected =
        "## Current Understanding\n- This is a Go project...\n\n## Last Action\nRead main.go".to_owned();
    assert_eq!(scratchpad(text), Some(expected), "from behind the signal to the next one, trimmed");
    assert_eq!(scratchpad("SCRATCHPAD:  a\nb \n"), Some("a\nb".to_owned()), "or to the end");
    assert_eq!(scratchpad("no signal"), None);
    assert_eq!(signals("no signal"), Signals::default());
}

// S0-13
#[test]
fn only_a_signal_that_somebody_reads_ends_it() {
    for end in ["SIGNAL:HAT builder", "### STATE\nGoal: g", "### STATE", "SCRATCHPAD:"] {
        let text = format!("SCRATCHPAD:a\n## b\n\n{end}\nmore");
        let first = text.split(&format!("\n\n{end}")).next().unwrap().strip_prefix("SCRATCHPAD:").unwrap();
        let expected = if end == "SCRATCHPAD:" { "more" } else { first };
        assert_eq!(scratchpad(&text).as_deref(), Some(expected), "{end}");
    }
    let inside = [
        "a SIGNAL: b",
        "> SIGNAL:x",
        "  SIGNAL:x",
        "## SIGNAL:x",
        "CHECKLIST:\n1. [x] read",
        "CHECKLIST: 2 completed",
        "MEMORY: 512 MB is enough",
        "MEMORY:decision:x",
        "### State",
        "## STATE",
        "---",
    ];
    for inside in inside {
        let found = signals(&format!("SCRATCHPAD:a\n{inside}\n## Key Decisions\n- keep it"));
        assert_eq!(found.scratchpad, Some(format!("a\n{inside}\n## Key Decisions\n- keep it")), "{inside}");
        assert_eq!(found.malformed, [], "{inside}");
    }
}

// S0-13
#[test]
fn sections_behind_the_end_are_reported() {
    for end in ["### STATE\nGoal: g", "SIGNAL:ITEM 1 completed"] {
        let found =
            signals(&format!("SCRATCHPAD:## Current Plan\n1. a\n{end}\n\n## Key Decisions\n- keep it"));
        assert_eq!(found.scratchpad.as_deref(), Some("## Current Plan\n1. a"), "{end}");
        assert_eq!(found.malformed, [Malformed::DividedScratchpad], "{end}");
        let whole =
            signals(&format!("SCRATCHPAD:a\n{end}\n\n## What I did\nSCRATCHPAD:a\n## Key Decisions\n- b"));
        assert_eq!(whole.malformed, [], "other headings and another scratchpad are not: {end}");
    }
}

// O-06
#[test]
fn the_last_one_counts() {
    assert_eq!(scratchpad("SCRATCHPAD:a\nSCRATCHPAD:b"), Some("b".to_owned()));
    assert_eq!(state("### STATE\nGoal: a\n### STATE\nGoal: b"), Some("Goal: b".to_owned()));
    let found = signals("SCRATCHPAD:a\nSCRATCHPAD:\n");
    assert_eq!(found.scratchpad, Some("a".to_owned()), "the last one that says anything");
    assert_eq!(found.malformed, [Malformed::EmptyScratchpad]);
}

// F-25
#[test]
fn code_and_quotes_are_no_signals() {
    let fenced = |malformed: Malformed| Signals { malformed: vec![malformed], ..Signals::default() };
    for (text, expected) in [
        ("```\nSCRATCHPAD:a\n```", fenced(Malformed::FencedScratchpad)),
        ("~~~text\nSCRATCHPAD:a\n~~~", fenced(Malformed::FencedScratchpad)),
        ("- in a list:\n  ```\nSCRATCHPAD:a\n  ```", fenced(Malformed::FencedScratchpad)),
        ("> SCRATCHPAD:a", Signals::default()),
        ("the signal SCRATCHPAD:a", Signals::default()),
        ("```\n### STATE\nGoal: a\n```", fenced(Malformed::FencedState)),
        ("```\n### STATE\nno field\n```", Signals::default()),
        ("> ### STATE\n> Goal: a", Signals::default()),
    ] {
        assert_eq!(signals(text), expected, "{text}");
    }
    let also_plain = "```\nSCRATCHPAD:a\n### STATE\nGoal: a\n```\nSCRATCHPAD:b\n### STATE\nGoal: b";
    assert_eq!(signals(also_plain).malformed, [], "who writes both knows what counts");
    let inside = "SCRATCHPAD:a\n```\nSIGNAL:x\n### STATE\nGoal: no\n```\nb";
    assert_eq!(scratchpad(inside), Some("a\n```\nSIGNAL:x\n### STATE\nGoal: no\n```\nb".to_owned()));
    assert_eq!((state(inside), signals(inside).malformed), (None, vec![]), "code of a scratchpad");
    let opened = "SCRATCHPAD:```\nSIGNAL:x\n```\nb";
    assert_eq!(scratchpad(opened), Some("```\nSIGNAL:x\n```\nb".to_owned()));
}

// F-25
#[test]
fn malformed_signals_are_reported() {
    let check = |text: &str, expect: Malformed| {
        let found = signals(text);
        assert_eq!((found.scratchpad, found.state), (None, None), "{text}");
        assert_eq!(found.malformed, [expect], "{text}");
    };
    check("SCRATCHPAD: \n\nSIGNAL:DONE", Malformed::EmptyScratchpad);
    check("SCRATCHPAD:\u{200b}\u{e0041}", Malformed::EmptyScratchpad);
    check(crate::SCRATCHPAD_RULES, Malformed::ExampleScratchpad);
    check("**SCRATCHPAD:** a", Malformed::Decorated);
    check("## SCRATCHPAD: a", Malformed::Decorated);
    check("```\nSCRATCHPAD:a", Malformed::UnclosedFence);
    check("```\n### STATE\nGoal: g", Malformed::UnclosedFence);
    for heading in
        ["## STATE", "#### STATE", "**### STATE**", "**STATE**", "### STATE:\n**STATE:**", "# STATE #"]
    {
        let found = signals(&format!("Done.\n\n{heading}\nGoal: g\nContext: a.rs"));
        assert_eq!(found.state, None, "{heading}");
        assert_eq!(found.malformed.last(), Some(&Malformed::DecoratedState), "{heading}");
    }
    check("### STATE\nall is well", Malformed::StateWithoutFields);
    check("### STATE", Malformed::StateWithoutFields);
}

// S4-09 S4-10
#[test]
fn state_ends_where_the_next_part_begins() {
    let block = "Goal: g\nContext: a.rs\nResolved: one\nTechnical Anchors: port 8080";
    for end in ["", "\n# Next", "\n## Next", "\n### Next", "\n---\nNext", "\nSIGNAL:DONE", "\nSCRATCHPAD:a"] {
        assert_eq!(state(&format!("Done.\n\n### STATE\n{block}\n{end}")), Some(block.to_owned()), "{end:?}");
    }
    let small = "### STATE\nGoal: g\n#### More\nof it\n```\n---\n```";
    assert_eq!(state(small), Some("Goal: g\n#### More\nof it\n```\n---\n```".to_owned()));
    for heading in ["### STATE:", "### **STATE**", "### STATE ###"] {
        assert_eq!(state(&format!("{heading}\nGoal: g")), Some("Goal: g".to_owned()), "{heading}");
    }
    for other in ["### STATE of things", "State", "state:", "## STATES"] {
        assert_eq!(signals(&format!("{other}\nGoal: g")), Signals::default(), "{other}");
    }
    for other in ["### State", "**state**:", "STATE", "STATE:"] {
        let found = signals(&format!("{other}\nGoal: g"));
        assert_eq!((found.state, found.malformed), (None, vec![Malformed::DecoratedState]), "{other}");
        assert_eq!(signals(&format!("{other}\nAll is well.")), Signals::default(), "{other}");
    }
}

// S4-09
#[test]
fn prose_behind_state_is_for_the_user() {
    let block =
        "Goal: g\nContext:\n\na.rs and b.rs\n\nResolved:\n- one\n\n- two\n\n**Technical Anchors:** port 8080";
    let text = format!("### STATE\n{block}\n\nThe tests fail. Shall I delete the table?\n\nGoal: none");
    assert_eq!(state(&text), Some(block.to_owned()));
    assert_eq!(without_documents(&text), "The tests fail. Shall I delete the table?\n\nGoal: none");
    let cut = signals_of_cut(&text);
    assert_eq!((cut.state.unwrap().goal.as_str(), cut.malformed), ("g", vec![]));
}

#[test]
fn both_documents_in_either_order() {
    let one = signals("SCRATCHPAD:## Current Plan\n1. [ ] a\n\n### STATE\nGoal: g\n\nThat is all.");
    assert_eq!(one.scratchpad.as_deref(), Some("## Current Plan\n1. [ ] a"));
    assert_eq!(one.state.unwrap().goal, "g", "a paragraph behind the block is for the user");
    let other = signals("### STATE\nGoal: g\nSCRATCHPAD:## Current Plan\n1. [ ] a");
    assert_eq!(other.scratchpad.as_deref(), Some("## Current Plan\n1. [ ] a"));
    assert_eq!(other.state.unwrap().goal, "g");
}

#[test]
fn half_a_document_is_not_taken() {
    let cut = signals_of_cut("SCRATCHPAD:whole\nSIGNAL:x\nSCRATCHPAD:only the fi");
    assert_eq!(cut.scratchpad.as_deref(), Some("whole"));
    assert_eq!(cut.malformed, [Malformed::CutOff]);
    let cut = signals_of_cut("### STATE\nGoal: g\n---\nand then");
    assert_eq!(cut.state.unwrap().goal, "g");
    assert_eq!(cut.malformed, []);
    assert_eq!(signals_of_cut("### STATE\nGoal: g").state, None);
}

#[test]
fn a_person_reads_the_text_without_the_documents() {
    let check = |text: &str, expected: &str| assert_eq!(without_documents(text), expected, "{text}");
    check("All done. \n", "All done. \n");
    check("Done.\n\n### STATE\nGoal: g\n", "Done.\n");
    check("SCRATCHPAD:a\n## b\nSIGNAL:DONE", "SIGNAL:DONE");
    check("One.\nSCRATCHPAD:a\n### STATE\nGoal: g\n\n## Next\nTwo.", "One.\n## Next\nTwo.");
    check("One.\n\n### STATE\nGoal: g\n---\nTwo.\n\n", "One.\n\n---\nTwo.\n\n");
    check("See:\n```\n### STATE\nGoal: g\n```", "See:\n```\n### STATE\nGoal: g\n```");
    check("### STATE\nGoal: g", "");
}

proptest! {
    /// Texts of the pieces that mean something, in any order.
    #[test]
    fn nothing_panics_and_documents_come_out_of_the_text(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "SCRATCHPAD:", "\n", "### STATE", "\nGoal:", "SIGNAL:", "```", "~~~~", "> ", "  ", "é\u{200d}", "a", "- ",
                "## b", "---", "\r\n", "Technical Anchors:", "**", "\u{202e}",
            ]),
            0..40,
        ),
    ) {
        let text = pieces.concat();
        let found = signals(&text);
        if let Some(scratchpad) = &found.scratchpad {
            prop_assert!(text.contains(scratchpad.as_str()));
            prop_assert_eq!(scratchpad.trim(), scratchpad.as_str());
            prop_assert!(!scratchpad.is_empty());
        }
        prop_assert!(found.state.as_ref().is_none_or(|state| !state.is_empty()));
        let _ = signals_of_cut(&text);
        let read = without_documents(&text);
        prop_assert!(read.len() <= text.len());
        let mut parts = ShownText::default();
        let mut shown: String = pieces.iter().map(|piece| parts.push(piece)).collect();
        shown.push_str(&parts.finish());
        prop_assert_eq!(&shown, &read, "in parts as at once");
        if found == Signals::default() {
            prop_assert_eq!(&read, &text, "what has no document is not changed");
        }
        prop_assert_eq!(signals(&read), Signals { malformed: signals(&read).malformed, ..Signals::default() });
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let _ = signals(&text);
        let _ = signals_of_cut(&text);
    }

    #[test]
    fn fenced_signals_never_count(before in "[a-z \n]{0,20}", body in "[A-Za-z #:\n-]{0,60}", tilde: bool) {
        let fence = if tilde { "~~~" } else { "```" };
        let text = format!("{before}\n{fence}\nSCRATCHPAD:{body}\n### STATE\nGoal: {body}\n{fence}\n");
        let found = signals(&text);
        prop_assert_eq!((found.scratchpad, found.state), (None, None));
    }

    #[test]
    fn a_plain_document_round_trips(body in "[a-z][a-zé \n#*.-]{0,80}[a-z]") {
        prop_assert_eq!(scratchpad(&format!("x\nSCRATCHPAD:{body}\nSIGNAL:y")), Some(body));
    }
}
