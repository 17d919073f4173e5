//! Tests of the strict and the suspicious parser of command lines.

mod rules;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{parse_plain, parts};

fn check_plain(lines: &[&str], expected: &Expect) {
    let shown: String = lines
        .iter()
        .map(|line| match parse_plain(line) {
            Ok(commands) => {
                let commands: Vec<String> = commands.iter().map(|words| words.join("·")).collect();
                format!("{line:?}: {}\n", commands.join(" | "))
            }
            Err(why) => format!("{line:?}: {}\n", why.0),
        })
        .collect();
    expected.assert_eq(&shown);
}

#[test]
fn plain_commands_are_split_into_words() {
    check_plain(
        &[
            "git status",
            "  cargo test -p 'my crate' \"a b\" c\\ d  ",
            "a && b || c; d & e | f |& g\nh",
            "make 2>&1 >/dev/null </dev/null &> /dev/null # rm -rf /",
            "grep 'a$b `c` $(d)' src/*.rs \"a\\\"b\\n\"",
            "git show HEAD@{1} && find . -name x {} ;",
            "a \\\n b",
            "echo a#b ''",
        ],
        &expect![[r#"
            "git status": git·status
            "  cargo test -p 'my crate' \"a b\" c\\ d  ": cargo·test·-p·my crate·a b·c d
            "a && b || c; d & e | f |& g\nh": a | b | c | d | e | f | g | h
            "make 2>&1 >/dev/null </dev/null &> /dev/null # rm -rf /": make
            "grep 'a$b `c` $(d)' src/*.rs \"a\\\"b\\n\"": grep·a$b `c` $(d)·src/*.rs·a"b\n
            "git show HEAD@{1} && find . -name x {} ;": git·show·HEAD@{1} | find·.·-name·x·{}
            "a \\\n b": a·b
            "echo a#b ''": echo·a#b·
        "#]],
    );
}

#[test]
fn lines_that_a_shell_expands_are_refused() {
    for line in [
        "echo $HOME",
        "echo $(id)",
        "echo `id`",
        "echo \"$(id)\"",
        "echo \"`id`\"",
        "echo ${x}",
        "echo $'a'",
        "(id)",
        "{ id; }",
        "if true; then id; fi",
        "! id",
        "for x in a; do id; done",
        "A=1 git status",
        "A+=1 x",
        "PATH=. git",
        "git log > x",
        "git log >> x",
        "git log >| x",
        "git log >& x",
        "git log &> x",
        "git log <x",
        "git log <<X\nX",
        "git log <<< x",
        "git log 2> x",
        "diff <(a) b",
        "tee >(a)",
        "git 'a",
        "git \"a",
        "git a\\",
        "git *",
        "git ?x",
        "git [a]",
        "rg --p* x .",
        "sort --comp*",
        "git -?",
        "git '-'-x[a]",
        "g*t log",
        "git {a,b}",
        "{rm,-rf}",
        "git a{1..3}",
        "git {},b}",
        "git x{}[,h{}",
        "git HEAD@{1},b}",
        "A='x' git log",
        "A=\\! git log",
        "[[ a ]]",
        "f() { id; }",
        "\u{a0}git",
        "git\u{7}",
        "git\r",
        "git \u{0}",
        "'' x",
        "time git",
        "coproc git",
        "function f { id; }",
        "git log >/dev/nullx",
        "git log >/dev/null/../x",
        "git log 2>&1x",
        "''* x",
        "git ''*",
    ] {
        assert!(parse_plain(line).is_err(), "{line:?} parses as {:?}", parse_plain(line));
    }
}

fn check_parts(lines: &[&str], expected: &Expect) {
    let shown: String = lines
        .iter()
        .map(|line| {
            let found = parts(line);
            let mut all: Vec<String> = found.all.iter().map(|part| part.words().join("·")).collect();
            all.sort();
            format!("{line:?}: {}{}\n", all.join(" | "), if found.opaque { " ?" } else { "" })
        })
        .collect();
    expected.assert_eq(&shown);
}

#[test]
fn every_command_that_may_run_is_found() {
    check_parts(
        &[
            "git status && rm -rf /",
            "echo $(rm a) `rm b` \"$(rm c)\" \"`rm d`\"",
            "A=1 B=2 rm a",
            "if true; then rm a; else rm b; fi",
            "sudo -u x rm a",
            "sh -c 'git log; rm a'",
            "find . -exec rm {} \\;",
            "r'm' a; \"rm\" b; \\rm c; r\\m d",
            "/bin/rm a >x 2>&1",
            "(rm a) & { rm b; }",
            "cat <<X\nrm a\nX",
            "diff <(rm a) b",
            "git &>x push",
            "git log &>x; git log &> x &",
        ],
        &expect![[r#"
            "git status && rm -rf /": git·status | rm·-rf·/
            "echo $(rm a) `rm b` \"$(rm c)\" \"`rm d`\"": $ | $ | $·`rm d` | echo·$ | rm·a | rm·b | rm·c | rm·d | rm·d ?
            "A=1 B=2 rm a": 1 | 2 | rm·a
            "if true; then rm a; else rm b; fi": rm·a | rm·b | true
            "sudo -u x rm a": a | rm·a | sudo·-u·x·rm·a | x·rm·a
            "sh -c 'git log; rm a'": git·log | rm·a | sh·-c·git log; rm a
            "find . -exec rm {} \\;": .·-exec·rm·{}·; | find·.·-exec·rm·{}·; | rm·{}·; | {}·;
            "r'm' a; \"rm\" b; \\rm c; r\\m d": rm·a | rm·b | rm·c | rm·d
            "/bin/rm a >x 2>&1": /bin/rm·a
            "(rm a) & { rm b; }": rm·a | rm·b
            "cat <<X\nrm a\nX": X | cat | rm·a
            "diff <(rm a) b": b | diff | rm·a
            "git &>x push": git·push | push
            "git log &>x; git log &> x &": git·log | git·log
        "#]],
    );
}

#[test]
fn a_line_with_an_unknown_program_is_opaque() {
    for line in [
        "$X -rf /",
        "$(echo rm) a",
        "`echo rm` a",
        "echo cm0= | base64 -d | sh",
        "bash <<< 'rm a'",
        "bash -s",
        "eval $X",
        "sh -c \"$X\"",
        ". ./x",
        "source x",
        "{rm,-rf,/}",
        "r? a",
        "rm 'a",
        "$'\\x72m' a",
        "alias ls=rm",
        "rm{,} x",
        "x {a,b} | {rm,x}",
        "bash -O extglob",
        "bash +o posix",
        "bash --rcfile x",
        "bash -- /dev/stdin",
        "bash -c",
        "xargs -I{} sh -c '{}'",
        "sudo r? x",
        "sudo -u x -i",
        "doas -s",
        "su x",
        "find . -exec sh ;",
        "git config alias.p push",
    ] {
        assert!(parts(line).opaque, "{line:?}: {:?}", parts(line));
    }
    for line in [
        "git log",
        "echo $HOME",
        "cargo test -- 'a b'",
        "sh x.sh",
        "bash -c 'git log'",
        "ls *.rs",
        "bash -euo pipefail x.sh",
        "bash -c -e 'git log'",
        "bash -lc 'ls *.rs'",
        "bash --norc -- x.sh",
        "cp a.{txt,bak}",
        "mkdir -p src/{a,b}",
        "{ git log; }",
        "{\ngit log\n}",
        "time git log",
        "time -p ls *.rs",
        "sudo ls *.rs",
        "sudo -u x ls -si",
        "su x -c 'git log'",
        "find . -name '*.rs' -exec grep -l bash {} ;",
        "find * -name sh",
        "xargs -I{} cp {} x",
        "xargs -I {} cp {} x",
        "command -v bash",
        "git add src/alias.rs",
        "trap 'echo x' EXIT",
    ] {
        assert!(!parts(line).opaque, "{line:?}: {:?}", parts(line));
    }
}

#[test]
fn a_line_with_evaluated_words_is_opaque() {
    for line in [
        "printf -v 'a[$(rm x)]' x",
        "printf -va[1] x",
        "test -v 'a[$(rm x)]'",
        "test -v 'a[`rm x`]'",
        "[ -v 'a[$(rm x)]' ]",
        "test -R x[1]",
        "b='x[$(rm a)]'; test -v \"$b\"",
        "b='x[$(rm a)]'; ((b))",
        "b='x[$(rm a)]'; echo $((b))",
        "b='x[$(rm a)]'; echo \"$((b + 1))\"",
        "b='x[$(rm a)]'; echo $[b]",
        "b='x[$(rm a)]'; echo ${a[b]}",
        "b='x[$(rm a)]'; echo \"${a[b]}\"",
        "b='x[$(rm a)]'; echo ${a:b}",
        "b='x[$(rm a)]'; echo ${a:0:b}",
        "b='x[$(rm a)]'; echo ${a[0]:b}",
        "b='x[$(rm a)]'; echo ${a: 0                                                                  + b}",
        "b='x[$(rm a)]'; echo ${!b}",
        "b='$(rm a)'; echo \"${b@P}\"",
        "b='x[$(rm a)]'; [[ b -eq 1 ]]",
        "b='x[$(rm a)]'; [[ -f y && 1 -lt b ]]",
        "b='x[$(rm a)]'; for ((;b;)); do true; done",
        "b='x[$(rm a)]'; a[b]=1",
        "[[ -v 'a[$(rm x)]' ]]",
        "read 'a[$(rm x)]' <<< 1",
        "unset 'a[$(rm x)]'",
        "declare 'a[$(rm x)]=1'",
        "typeset 'a[$(rm x)]=1'",
        "local 'a[$(rm x)]=1'",
        "declare -i b='x[$(rm a)]'",
        "declare -n b='x[$(rm a)]'",
        "let 'a[$(rm x)]'",
        "let b",
        "builtin printf -v 'a[b]' x",
        "command -p let b",
        "mapfile -C 'rm x' -c 1 a",
        "compgen -W '$(rm x)'",
        "env -S'rm x'",
        "su -c'rm x'",
    ] {
        assert!(parts(line).opaque, "{line:?}: {:?}", parts(line));
    }
    for line in [
        "printf '%s [%s]\\n' a b",
        "test -f x && [ -d y ]",
        "[ \"$x\" = y ]",
        "echo $((1024 * 1024))",
        "echo \"$((1+2))\"",
        "echo ${x} ${#x} ${x:-a} ${x:1:3} ${x: -1} ${a[0]} ${a[@]} ${#a[@]} ${@:2} ${x%.rs} ${x//[a]/b}",
        "[[ -f x ]] && ls",
        "export A=1 B=$x",
        "read -r x",
        "unset x",
        "local x=$1",
        "grep 'a[$(]' x",
        "find . -name '*.rs'",
    ] {
        assert!(!parts(line).opaque, "{line:?}: {:?}", parts(line));
    }
}

#[test]
fn a_substitution_in_an_array_index_is_found() {
    check_parts(
        &[
            "printf -v 'a[$(rm x)]' y",
            "test -v 'a[`rm x`]'",
            "[[ -v 'a[$(rm x)]' ]]",
            "unset 'a[$(rm x)]'",
            "eval 'r\\m' -rf x",
            "su -c'rm x'",
            "script --command='rm x'",
        ],
        &expect![[r#"
            "printf -v 'a[$(rm x)]' y": -v | ] | a[$ | printf·-v·a[$(rm x)]·y | rm·x ?
            "test -v 'a[`rm x`]'": ] | ] | a[$ | a[$ | rm·x | rm·x | test·-v·a[`rm x`] ?
            "[[ -v 'a[$(rm x)]' ]]": -v·a[$(rm x)]·]] | ] | ] | ]] | a[$ | a[$ | rm·x | rm·x ?
            "unset 'a[$(rm x)]'": ] | ] | a[$ | a[$ | rm·x | rm·x | unset·a[$(rm x)] ?
            "eval 'r\\m' -rf x": eval·r\m·-rf·x | rm | rm·-rf·x | x
            "su -c'rm x'": -crm·x | rm·x | su·-crm x | x ?
            "script --command='rm x'": --command=rm·x | rm·x | script·--command=rm x | x ?
        "#]],
    );
}

#[test]
fn a_very_long_line_takes_limited_time() {
    let words = format!("sudo {}", "a ".repeat(100_000));
    let found = parts(&words);
    assert!(found.opaque && found.all.len() < 2_100, "{}", found.all.len());
    // All of them are ends of one list: nothing was copied for each.
    let ends: Vec<_> = found.all.iter().map(|part| part.words().as_ptr_range().end).collect();
    assert!(ends.windows(2).all(|pair| pair[0] == pair[1]));
    let nested = format!("sudo '{}'", "sudo x; ".repeat(100_000));
    let found = parts(&nested);
    let copied: usize =
        found.all.iter().filter(|part| part.words().len() > 2).map(|part| part.words().len()).sum();
    assert!(found.opaque && copied < 100, "{copied}");
    let commands = parts(&format!("{}; rm x", "true; ".repeat(5_000)));
    assert!(commands.all.iter().any(|part| part.words() == ["rm", "x"]), "each command is looked at");
}

#[test]
fn quotes_without_meaning_hide_nothing() {
    for line in [
        "true #\\\nrm a",
        "true # it's\nrm a # it's",
        "ls; #'\nrm a\n#'",
        "echo `true # x` ; rm a",
        "(true)#'\nrm a\n#'",
        "$(true)#; rm a",
        "cat <<X\nit's\nX\nrm a\ncat <<X\nit's\nX",
        "cat <<X\n# $(rm a)\nX",
        "ls \\\n#x\nrm a",
    ] {
        let found = parts(line);
        let seen = found.all.iter().any(|part| part.words().first().is_some_and(|word| word == "rm"));
        assert!(seen || found.opaque, "{line:?}: {found:?}");
    }
    // And where nothing is in doubt there is no alarm.
    for line in ["ls # it's all", "cat <<'X' > a.txt\n# plain\nX", "git log # 'a"] {
        assert!(!parts(line).opaque, "{line:?}: {:?}", parts(line));
    }
}

proptest! {
    #[test]
    fn any_line_is_parsed_without_a_panic(
        line in "(?s).{0,80}",
        signs in "[a-z>|&;'\"<\\\\ \n(){}$`*?#=\\[\\]]{0,80}",
    ) {
        for line in [line, signs] {
            let _ = parts(&line);
            if let Ok(commands) = parse_plain(&line) {
                // Every plain command is also found by the suspicious parser.
                let found = parts(&line);
                for words in commands {
                    prop_assert!(
                        found.all.iter().any(|part| part.words().first() == words.first()),
                        "{line:?}: {words:?} is not among {found:?}"
                    );
                }
            }
        }
    }
}
