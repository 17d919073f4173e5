//! What a rule may say.

use expect_test::expect;

use crate::Rule;

#[test]
fn good_rules_are_kept_as_they_are_written() {
    for text in [
        "shell",
        "shell(git *)",
        "shell(cargo test)",
        "shell(a && b)",
        "shell(echo 'a (b)')",
        "edit(src/**)",
        "read(.env)",
        "mcp__github__*",
        "*",
        "fetch(domain:example.com)",
        "fetch(domain:*.example.com)",
        "write_file(/tmp/**)",
        "shell(*)",
        "shell(npm run test:*)",
        "shell(make 2>&1)",
        "shell(echo \\*)",
    ] {
        assert_eq!(Rule::parse(&format!(" {text} ")).map(|rule| rule.text().to_owned()), Ok(text.to_owned()));
    }
}

#[test]
fn a_wrong_rule_says_what_would_be_right() {
    let told: String = [
        "",
        "(x)",
        "shell(",
        "shell(git",
        "shell()",
        "my tool",
        "Bash(git *)",
        "shell(git * && rm *)",
        "shell(* --force)",
        "shell(git * > x)",
        "fetch(example.com)",
        "fetch(domain:)",
        "fetch(domain:a/b)",
        "edit(../x)",
        "edit(~/x)",
        "mcp__a__b(x)",
        "edit*(x)",
        "shell(a\nb)",
    ]
    .iter()
    .map(|text| match Rule::parse(text) {
        Ok(rule) => format!("{rule:?} is taken\n"),
        Err(error) => format!("{error}\n"),
    })
    .collect();
    expect![[r#"
        the rule "" cannot be used: write a tool's name, or name(pattern): shell(git status *), edit(src/**)
        the rule "(x)" cannot be used: write a tool's name, or name(pattern): shell(git status *), edit(src/**)
        the rule "shell(" cannot be used: it has an opening bracket and does not end with the closing one
        the rule "shell(git" cannot be used: it has an opening bracket and does not end with the closing one
        the rule "shell()" cannot be used: its brackets are empty; leave them out to mean every call
        the rule "my tool" cannot be used: write a tool's name, or name(pattern): shell(git status *), edit(src/**)
        the rule "Bash(git *)" cannot be used: the tool is named "shell" here
        the rule "shell(git * && rm *)" cannot be used: a pattern with `*` is one plain command, as each command of a line is looked at alone; write a rule for each
        the rule "shell(* --force)" cannot be used: it begins with `*`; name the program first
        the rule "shell(git * > x)" cannot be used: a pattern with `*` is one plain command, as each command of a line is looked at alone; write a rule for each
        the rule "fetch(example.com)" cannot be used: write fetch(domain:example.com), or fetch(domain:*.example.com) for the hosts below it
        the rule "fetch(domain:)" cannot be used: write fetch(domain:example.com), or fetch(domain:*.example.com) for the hosts below it
        the rule "fetch(domain:a/b)" cannot be used: write fetch(domain:example.com), or fetch(domain:*.example.com) for the hosts below it
        the rule "edit(../x)" cannot be used: `..` leads out; write a path from the workspace on, or from / on
        the rule "edit(~/x)" cannot be used: `~` is not known here; write the whole path
        the rule "mcp__a__b(x)" cannot be used: only one built-in tool can have a pattern in brackets
        the rule "edit*(x)" cannot be used: only one built-in tool can have a pattern in brackets
        the rule "shell(a\nb)" cannot be used: it has a control character; write one rule a line
    "#]].assert_eq(&told);
}
