//! Tests of the form of rules.

use expect_test::expect;

use crate::Rule;

#[test]
fn well_formed_rules_round_trip() {
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
fn a_malformed_rule_names_the_correct_form() {
    let shown: String = [
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
        malformed rule "": write a tool's name, or name(pattern): shell(git status *), edit(src/**)
        malformed rule "(x)": write a tool's name, or name(pattern): shell(git status *), edit(src/**)
        malformed rule "shell(": the closing parenthesis is missing
        malformed rule "shell(git": the closing parenthesis is missing
        malformed rule "shell()": its parentheses are empty; leave them out to match every call
        malformed rule "my tool": write a tool's name, or name(pattern): shell(git status *), edit(src/**)
        malformed rule "Bash(git *)": the tool is named "shell" here
        malformed rule "shell(git * && rm *)": a pattern with `*` must be one plain command, because each command of a line is matched alone; write a rule for each
        malformed rule "shell(* --force)": it begins with `*`; name the program first
        malformed rule "shell(git * > x)": a pattern with `*` must be one plain command, because each command of a line is matched alone; write a rule for each
        malformed rule "fetch(example.com)": write fetch(domain:example.com), or fetch(domain:*.example.com) for its subdomains
        malformed rule "fetch(domain:)": write fetch(domain:example.com), or fetch(domain:*.example.com) for its subdomains
        malformed rule "fetch(domain:a/b)": write fetch(domain:example.com), or fetch(domain:*.example.com) for its subdomains
        malformed rule "edit(../x)": `..` is not supported; write a path relative to the workspace, or an absolute one
        malformed rule "edit(~/x)": `~` is not supported; write the absolute path
        malformed rule "mcp__a__b(x)": a pattern needs the name of one built-in tool
        malformed rule "edit*(x)": a pattern needs the name of one built-in tool
        malformed rule "shell(a\nb)": it has a control character; write one rule per line
    "#]].assert_eq(&shown);
}
