//! What a task file can say, and what is said about one that is wrong.

use expect_test::{Expect, expect};
use proptest::prelude::{prop, proptest};

use super::TaskFile;
use throughline_text::span_text;

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&TaskFile::parse(text).map_or_else(|error| error.to_string(), |file| shown(&file)));
}

fn shown(file: &TaskFile) -> String {
    let hats: Vec<&str> = file.hats.iter().map(|hat| hat.name.as_str()).collect();
    let gates: Vec<String> = file
        .gates
        .iter()
        .map(|gate| format!("{} = {:?} within {}", gate.name, gate.command, span_text(gate.timeout)))
        .collect();
    let items: Vec<String> = file.items.iter().enumerate().map(|(at, item)| item.line(at + 1)).collect();
    format!(
        "{}; hats {}; {} iterations, {}\ngates: [{}]\nitems: [{}]\n---\n{}\n",
        file.title,
        hats.join(", "),
        file.max_iterations,
        span_text(file.max_time),
        gates.join("; "),
        items.join("; "),
        file.goal
    )
}

// S0-44
// C-02
#[test]
fn a_file_of_nothing_but_text_takes_the_usual_numbers() {
    check(
        "# Fix  the parser\n\nIt loses the last line.\n",
        &expect![[r#"
            Fix the parser; hats builder; 50 iterations, 4h
            gates: []
            items: []
            ---
            It loses the last line.
        "#]],
    );
}

#[test]
fn a_checklist_loses_no_line() {
    check(
        "# Move the data\n\n## Checklist\n\n- [ ] write the migration\n  but never run it against production\n- [x] plan\n\n\
         IMPORTANT: do not touch the public API.\n\n### Later\n- [ ] test\n### Notes\nKeep the old table.\n\n## Why\nIt is slow.\n",
        &expect![[r#"
            Move the data; hats builder; 50 iterations, 4h
            gates: []
            items: [1. [ ] write the migration but never run it against production; 2. [x] plan; 3. [ ] test]
            ---
            IMPORTANT: do not touch the public API.

            ### Later

            ### Notes
            Keep the old table.

            ## Why
            It is slow.
        "#]],
    );
}

// S0-44
#[test]
fn settings_hats_gates_and_checklist() {
    let text = r#"+++
title = "Fix the parser"
hats = ["explorer", "writer", "Reviewer"]
gates = ["cargo test", { name = "lint", command = "cargo clippy -- -D warnings", timeout = "20m" }]
max_iterations = 12
max_time = "1h30m"

[hat.writer]
prompt = "Write."
+++
It loses the last line.

## Checklist
- [ ] a test that   fails
* [X] a file that shows it
  1. [ ] the fix
- no item

### still the checklist
- [ ] more

## Hints
- [ ] is how an item looks
"#;
    check(
        text,
        &expect![[r#"
            Fix the parser; hats explorer, writer, reviewer; 12 iterations, 1h30m
            gates: [cargo test = "cargo test" within 10m; lint = "cargo clippy -- -D warnings" within 20m]
            items: [1. [ ] a test that fails; 2. [x] a file that shows it; 3. [ ] the fix; 4. [ ] more]
            ---
            It loses the last line.

            - no item

            ## Hints
            - [ ] is how an item looks
        "#]],
    );
    assert_eq!(
        TaskFile::parse(&text.replace('\n', "\r\n")).map(|file| shown(&file).replace('\r', "")),
        TaskFile::parse(text).map(|file| shown(&file))
    );
}

// S0-44
#[test]
fn without_a_section_items_stand_anywhere_but_in_code() {
    check(
        "\u{feff}# T\n- [ ] one\n```\n- [ ] code\n# no title\n```\n- [a](link)\n- [x]\u{a0}two\n- [ref] text",
        &expect![[r#"
            T; hats builder; 50 iterations, 4h
            gates: []
            items: [1. [ ] one; 2. [x] two]
            ---
            - [ ] one
            ```
            - [ ] code
            # no title
            ```
            - [a](link)
            - [x] two
            - [ref] text
        "#]],
    );
}

// S0-44
#[test]
fn an_error_names_the_line_and_the_fix() {
    let front = |line: &str| format!("+++\ntitle = \"T\"\n{line}\n+++\ngoal\n");
    let cases = [
        String::new(),
        "only a goal".to_owned(),
        "# Title\n\n".to_owned(),
        "+++\ntitle = \"T\"\n".to_owned(),
        front("max_iteration = 3"),
        front("max_iterations = 0"),
        front("max_iterations = -1"),
        front("max_time = \"4\""),
        front("title = \"T\""),
        front("hats = []"),
        front("hats = [\"builder\",\n  \"wizard\"]"),
        front("hats = [\"builder\", \"Builder\"]"),
        front("[hat.wizard]\nprompt = \"x\""),
        front("[hat.builder]\nprompt = \" \""),
        front("[hat.\"a b\"]\nprompt = \"x\""),
        front("gates = [\"make\", \"make\"]"),
        front("gates = [\"\"]"),
        front("gates = [3]"),
        front("gates = [\n  { name = \"x\", comand = \"y\" },\n]"),
        front("gates = [{ command = \"y\", timeout = \"soon\" }]"),
        "# T\n## Checklist\n- [ ]\n".to_owned(),
        "# T\n- [?] what\n".to_owned(),
    ];
    let errors: String =
        cases.iter().map(|text| format!("{}\n", TaskFile::parse(text).unwrap_err())).collect();
    expect![[r#"
        line 1: the task has no title; write `title = "…"` between two lines `+++`, or begin with `# Title`
        line 1: the task has no title; write `title = "…"` between two lines `+++`, or begin with `# Title`
        line 2: nothing is to be done; write the goal, or items as `- [ ] …`
        line 1: the settings begin with `+++` and never end; end them with `+++`
        line 3: unknown field `max_iteration`, expected one of `title`, `hats`, `hat`, `gates`, `max_iterations`, `max_time`; the settings are TOML with title, hats, hat.NAME, gates, max_iterations and max_time
        line 3: it must not be 0; write a number from 1 on
        line 3: invalid value: integer `-1`, expected u64; the settings are TOML with title, hats, hat.NAME, gates, max_iterations and max_time
        line 3: "4" is no time; write whole numbers with their units, such as 90d or 1h30m: w, d, h, m (minutes) or s
        line 3: duplicate key; the settings are TOML with title, hats, hat.NAME, gates, max_iterations and max_time
        line 3: there is no hat; name at least one, or leave the key out
        line 4: there is no hat "wizard"; describe it as `[hat.NAME] prompt = "…"`, or use one of planner, explorer, builder, debugger, reviewer
        line 3: hat "builder" stands there twice; name each hat once
        line 3: hat "wizard" is described and never worn; name it in `hats`, at its place in the order
        line 4: the prompt is empty; write what the hat asks for
        line 3: "a b" cannot name a hat; use letters, digits, `-` and `_`
        line 3: there are two gates "make"; give one of them another `name`, or leave it out
        line 3: the gate is empty; write the command that has to succeed
        line 3: a gate is a command or a table, no integer; write the command between quotation marks
        line 4: unknown field `comand`, expected one of `name`, `command`, `timeout`; write a command, or `{ name = "…", command = "…", timeout = "10m" }`
        line 3: "soon" is no time; write whole numbers with their units, such as 90d or 1h30m: w, d, h, m (minutes) or s
        line 3: the item says nothing; write what is to be done, or leave it out
        line 2: an item is ticked with "?"; write `- [ ] …` or `- [x] …`
    "#]].assert_eq(&errors);
}

proptest! {
    #[test]
    fn any_text_is_a_task_or_an_error_at_one_of_its_lines(
        text in prop::collection::vec("(\\+\\+\\+|# |## Checklist|- \\[ \\] |```|[a-z=\"\\[\\] ]{0,6})?[a-z ä]{0,4}", 0..12)
    ) {
        let text = text.join("\n");
        match TaskFile::parse(&text) {
            Ok(file) => {
                assert!(!file.title.is_empty() && !file.hats.is_empty());
                assert!(!file.goal.is_empty() || !file.items.is_empty());
            }
            Err(error) => assert!((1..=text.lines().count().max(1)).contains(&error.line), "{error}"),
        }
    }
}
