//! The limits of rules that the user writes in place of a suggested one.

use expect_test::expect;

use super::{call, permissions};
use crate::mode::Mode;
use crate::permissions::Commands;

#[test]
fn a_rule_that_the_user_edited_may_be_wider_but_not_open() {
    let permissions = permissions(Mode::Ask, &["deny shell(git push *)"]);
    let shown: String = [
        ("shell cargo test -p x", "shell(cargo *)"),
        ("shell cargo test -p x", "shell(cargo test -p x)"),
        ("shell cargo test -p x", " shell(cargo test *) "),
        ("shell cargo test -p x", "shell"),
        ("shell cargo test -p x", "shell(*)"),
        ("shell cargo test -p x", "*"),
        ("shell cargo test -p x", "shell(c* *)"),
        ("shell cargo test -p x", "shell(* test)"),
        ("shell cargo test -p x", "shell(cargo build *)"),
        ("shell cargo test -p x", "edit(src/**)"),
        ("shell cargo test -p x", "Bash(cargo *)"),
        ("shell cargo test --config x", "shell(cargo test *)"),
        ("shell env X=1 cargo test", "shell(env *)"),
        ("shell env X=1 cargo test", "shell(env X=1 cargo test)"),
        ("shell rm -rf x", "shell(rm *)"),
        ("shell cargo fmt && cargo test", "shell(cargo *)"),
        ("shell cargo fmt && npm test", "shell(cargo *)"),
        ("shell git commit -m x", "shell(git *)"),
        ("edit_file src/a/b.rs", "edit(src/a/*.rs)"),
        ("edit_file src/a/b.rs", "edit"),
        ("edit_file src/a/b.rs", "edit(**)"),
        ("edit_file src/a/b.rs", "edit(docs/**)"),
        ("fetch https://x.org/a", "fetch(domain:*.org)"),
        ("fetch https://x.org/a", "fetch"),
        ("mcp__a__b", "mcp__a__*"),
        ("mcp__a__b", "mcp__a__b"),
    ]
    .iter()
    .map(|(text, rule)| {
        let (call, access) = call(text);
        match permissions.check_edited(rule, &call, &access, None) {
            Ok(own) => format!("{text} | {rule}: ok, {own}\n"),
            Err(why) => format!("{text} | {rule}: {why}\n"),
        }
    })
    .collect();
    expect![[r#"
        shell cargo test -p x | shell(cargo *): ok, shell(cargo *)
        shell cargo test -p x | shell(cargo test -p x): ok, shell(cargo test -p x)
        shell cargo test -p x |  shell(cargo test *) : ok, shell(cargo test *)
        shell cargo test -p x | shell: it would allow every call; name a pattern, such as shell(cargo test *)
        shell cargo test -p x | shell(*): it would allow every call; name a pattern, such as shell(cargo test *)
        shell cargo test -p x | *: it would allow every call; name a pattern, such as shell(cargo test *)
        shell cargo test -p x | shell(c* *): the program has a wildcard; write its name
        shell cargo test -p x | shell(* test): it begins with `*`; name the program first
        shell cargo test -p x | shell(cargo build *): it does not allow this call; the suggested rule is shell(cargo test *)
        shell cargo test -p x | edit(src/**): it does not allow this call; the suggested rule is shell(cargo test *)
        shell cargo test -p x | Bash(cargo *): the tool is named "shell" here
        shell cargo test --config x | shell(cargo test *): it does not allow this call; the suggested rule is shell(cargo test --config x)
        shell env X=1 cargo test | shell(env *): env runs its arguments as a command; write them without a wildcard
        shell env X=1 cargo test | shell(env X=1 cargo test): ok, shell(env X=1 cargo test)
        shell rm -rf x | shell(rm *): a call like this one needs its own approval
        shell cargo fmt && cargo test | shell(cargo *): ok, shell(cargo *)
        shell cargo fmt && npm test | shell(cargo *): it does not allow this call; the suggested rule is shell(cargo fmt && npm test)
        shell git commit -m x | shell(git *): ok, shell(git *)
        edit_file src/a/b.rs | edit(src/a/*.rs): ok, edit(src/a/*.rs)
        edit_file src/a/b.rs | edit: it would allow every call; name a pattern, such as edit(src/**)
        edit_file src/a/b.rs | edit(**): it would allow every call; name a pattern, such as edit(src/**)
        edit_file src/a/b.rs | edit(docs/**): it does not allow this call; the suggested rule is edit(src/**)
        fetch https://x.org/a | fetch(domain:*.org): ok, fetch(domain:*.org)
        fetch https://x.org/a | fetch: it would allow every call; name a pattern, such as fetch(domain:x.org)
        mcp__a__b | mcp__a__*: it would allow every call; name a pattern, such as mcp__a__b
        mcp__a__b | mcp__a__b: ok, mcp__a__b
    "#]].assert_eq(&shown);
}

/// The mode may have changed since the question, and what needs no approval may have too.
#[test]
fn a_rule_has_to_allow_the_call_whatever_else_allows_it() {
    let free = Commands { sandboxed: true, sandboxed_are_free: true, ..Commands::default() };
    let (call, access) = call("shell cargo test -p x");
    for permissions in [permissions(Mode::Yolo, &[]), permissions(Mode::Ask, &[]).commands(free)] {
        let why = permissions.check_edited("shell(cargo build *)", &call, &access, None).unwrap_err();
        assert!(why.starts_with("it does not allow this call"), "{why}");
        let own = permissions.check_edited("shell(cargo *)", &call, &access, None);
        assert_eq!(own.as_deref(), Ok("shell(cargo *)"));
    }
}
