//! Order, breakpoints and placement, and the laws of the built prompt.

use expect_test::{Expect, expect};
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};

use super::{DynamicPlacement, PromptBuilder};
use crate::built::BuiltPrompt;
use crate::note::context_note;
use crate::section::{PromptSection, Stability};

/// Every kind, added in the wrong order.
fn sections() -> Vec<PromptSection> {
    vec![
        PromptSection::status("status", context_note(83)),
        PromptSection::skill("skill", "Skill: review.", false),
        PromptSection::scratchpad("state", "### STATE\nGoal: ship"),
        PromptSection::memory("memory", "Memo: use tabs."),
        PromptSection::project("AGENTS.md", "Root rules."),
        PromptSection::base("base", "You are an agent."),
        PromptSection::scratchpad("scratchpad", "# Task Scratchpad"),
        PromptSection::project("AGENTS.md", "Folder rules."),
    ]
}

fn built(placement: DynamicPlacement, sections: Vec<PromptSection>) -> BuiltPrompt {
    let mut builder = PromptBuilder::new(placement);
    for section in sections {
        builder.add(section);
    }
    builder.build()
}

#[test]
fn dynamic_texts_go_behind_the_last_message_or_to_the_end_of_the_system_prompt() {
    let system = built(DynamicPlacement::LastUser, sections()).system;
    let texts = || vec!["83 % used".to_owned(), "7 tools deferred".to_owned()];
    let (same, notes) = DynamicPlacement::LastUser.place(&system, texts());
    assert_eq!((&same, notes), (&system, texts()));
    let (longer, notes) = DynamicPlacement::SystemTail.place(&system, texts());
    assert_eq!(notes, [""; 0]);
    let added: Vec<_> = longer[system.len()..].iter().map(|one| (one.name.as_str(), one.cacheable)).collect();
    assert_eq!(added, [("dynamic 1", false), ("dynamic 2", false)]);
    assert_eq!(DynamicPlacement::SystemTail.place(&system, Vec::new()), (system, Vec::new()));
}

/// The prompt with `|` where a breakpoint is, then the sections with `*` on cacheable ones, then the tail.
fn picture(prompt: &BuiltPrompt) -> String {
    let mut text = prompt.prompt();
    for at in prompt.breakpoints.iter().rev() {
        text.insert(*at, '|');
    }
    let mark = |section: &throughline_conversation::SectionText| {
        format!("{}{}", section.name, if section.cacheable { "*" } else { "" })
    };
    let names: Vec<String> = prompt.system.iter().map(mark).collect();
    format!("{text}\n--\n{}\n--\n{}\n", names.join(" "), prompt.tail.join("\n"))
}

fn check(placement: DynamicPlacement, sections: Vec<PromptSection>, after: &Expect) {
    after.assert_eq(&picture(&built(placement, sections)));
}

// S3-12 S3-13
#[test]
fn sections_are_sorted_by_stability_with_dynamic_ones_at_the_tail() {
    // The default placement keeps all that changes behind the history (O-15, F-33); a note on deferred tools
    // (S3-18) is such a status section.
    let after = expect![[r#"
        You are an agent.|

        Root rules.

        Folder rules.|

        Memo: use tabs.|

        Skill: review.
        --
        base* AGENTS.md* AGENTS.md* memory* skill
        --
        ### STATE
        Goal: ship
        # Task Scratchpad
        [Context: 83% used. You can call compact_context to free space before continuing with large operations.]
    "#]];
    check(DynamicPlacement::default(), sections(), &after);
}

// S3-13 S4-08
#[test]
fn dynamic_sections_can_stand_at_the_end_of_the_system_prompt() {
    let after = expect![[r#"
        You are an agent.|

        Root rules.

        Folder rules.|

        Memo: use tabs.|

        Skill: review.

        ### STATE
        Goal: ship

        # Task Scratchpad

        [Context: 83% used. You can call compact_context to free space before continuing with large operations.]
        --
        base* AGENTS.md* AGENTS.md* memory* skill state scratchpad status
        --

    "#]];
    check(DynamicPlacement::SystemTail, sections(), &after);
}

#[test]
fn nothing_is_cacheable_behind_a_section_that_is_not() {
    let memory = PromptSection { cacheable: false, ..PromptSection::memory("memory", "Memo.") };
    let sections = vec![
        PromptSection::skill("skill", "Skill.", true),
        memory,
        PromptSection::base("base", "Base."),
        PromptSection { cacheable: true, ..PromptSection::status("status", "Now.") },
    ];
    let after = expect![[r#"
        Base.|

        Memo.

        Skill.

        Now.
        --
        base* memory skill status
        --

    "#]];
    check(DynamicPlacement::SystemTail, sections, &after);
}

// S3-13
#[test]
fn a_skill_may_be_cacheable() {
    let sections = vec![PromptSection::skill("skill", "Skill.", true), PromptSection::base("base", "Base.")];
    let after = expect![[r#"
        Base.|

        Skill.|
        --
        base* skill*
        --

    "#]];
    check(DynamicPlacement::LastUser, sections, &after);
    let skills: Vec<bool> = built(
        DynamicPlacement::LastUser,
        vec![PromptSection::skill("s", "S", true), PromptSection::base("b", "B")],
    )
    .system
    .iter()
    .map(|section| section.skill)
    .collect();
    assert_eq!(skills, [false, true]);
}

#[test]
fn empty_sections_and_control_characters_are_left_out() {
    let sections = vec![
        PromptSection::base("base", "\n\n  kept\tas written\r\nsecond\u{7}\u{1b}[31m line \u{9b}\n\n"),
        PromptSection::project("AGENTS.md", " \r\n\t\u{0}"),
        PromptSection::status("status", ""),
    ];
    let prompt = built(DynamicPlacement::LastUser, sections);
    assert_eq!(prompt.prompt(), "  kept\tas written\nsecond[31m line");
    assert_eq!((prompt.system.len(), prompt.tail.len()), (1, 0));
    assert_eq!(prompt.breakpoints, [prompt.prompt().len()]);
}

fn any_section() -> impl Strategy<Value = PromptSection> {
    let stability = prop_oneof![
        Just(Stability::Base),
        Just(Stability::Project),
        Just(Stability::Memory),
        Just(Stability::Skill),
        Just(Stability::Scratchpad),
        Just(Stability::Status),
    ];
    let content = "[a-zäß\u{1F600}\u{0}\u{1b}\r\n\t ]{0,12}";
    (stability, content, any::<bool>()).prop_map(|(stability, content, cacheable)| PromptSection {
        cacheable,
        ..PromptSection::new("any", content, stability)
    })
}

fn any_sections() -> impl Strategy<Value = (DynamicPlacement, Vec<PromptSection>)> {
    let placement = prop_oneof![Just(DynamicPlacement::LastUser), Just(DynamicPlacement::SystemTail)];
    (placement, proptest::collection::vec(any_section(), 0..10))
}

proptest! {
    // Law I-6: same sections, same bytes; and what changes only dynamically leaves the system prompt alone.
    #[test]
    fn same_sections_give_the_same_bytes((placement, sections) in any_sections(), note in "[a-z]{1,9}") {
        let once = built(placement, sections.clone());
        prop_assert_eq!(&once, &built(placement, sections.clone()));
        let mut with_note = sections;
        with_note.push(PromptSection::status("note", note));
        let twice = built(placement, with_note);
        prop_assert!(twice.prompt().starts_with(&once.prompt()));
        prop_assert_eq!(&twice.breakpoints, &once.breakpoints);
        if placement == DynamicPlacement::LastUser {
            prop_assert_eq!(&twice.system, &once.system);
        }
    }

    #[test]
    fn breakpoints_are_ends_of_cacheable_sections((placement, sections) in any_sections()) {
        let built = built(placement, sections);
        let mut ends = Vec::new();
        let mut bytes = 0;
        for section in built.system.iter() {
            prop_assert!(!section.text.trim().is_empty());
            prop_assert!(!section.text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
            bytes += section.text.len();
            if section.cacheable {
                ends.push(bytes);
            }
            bytes += 2;
        }
        prop_assert_eq!(built.prompt().len(), bytes.saturating_sub(2));
        prop_assert!(built.breakpoints.is_sorted_by(|a, b| a < b));
        prop_assert!(built.breakpoints.iter().all(|at| ends.contains(at)));
        prop_assert_eq!(built.breakpoints.last(), ends.last());
        let cacheable = built.system.iter().take_while(|section| section.cacheable).count();
        prop_assert_eq!(cacheable, ends.len());
    }
}

#[test]
fn blank_lines_leave_the_start_of_a_section_and_its_first_indent_stays() {
    for (content, sent) in [
        ("\n\nText\n", "Text"),
        ("  \n\t\n    code\n\n  more \n", "    code\n\n  more"),
        ("  Text", "  Text"),
    ] {
        let built = built(DynamicPlacement::LastUser, vec![PromptSection::base("base", content)]);
        assert_eq!(built.prompt(), sent);
    }
    let blank = PromptSection::base("base", " \n\t\n ");
    assert_eq!(built(DynamicPlacement::LastUser, vec![blank]), BuiltPrompt::default());
}

#[test]
fn control_characters_leave_a_section_also_those_behind_ascii() {
    for control in ["\u{0}", "\u{1b}", "\u{7f}", "\u{85}", "\r"] {
        let built = built(
            DynamicPlacement::LastUser,
            vec![PromptSection::base("base", format!("a{control}b\tc\nd"))],
        );
        assert_eq!(built.prompt(), "ab\tc\nd", "{control:?}");
    }
    let nothing = PromptSection::base("base", "\u{7f}\u{7f}");
    assert_eq!(built(DynamicPlacement::LastUser, vec![nothing]), BuiltPrompt::default());
    let plain = built(DynamicPlacement::LastUser, vec![PromptSection::base("base", "préfixe »\u{a0}")]);
    assert_eq!(plain.prompt(), "préfixe »");
}
