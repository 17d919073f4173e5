//! Properties of all command lines and paths.

use proptest::prelude::*;

use super::{permissions, runs};
use crate::mode::Mode;

/// Ways to run `rm`.
const SPELLED: [&str; 39] = [
    "rm -rf x",
    "/bin/rm x",
    "\"rm\" x",
    "r\\m x",
    "sudo rm x",
    "A=1 rm x",
    "sh -c 'rm x'",
    "xargs rm",
    "find . -exec rm {} ;",
    "$X rm x",
    "time -p rm -rf x",
    "time -- rm x",
    "\\time -f x rm x",
    "A=1 time rm x",
    "time { rm x; }",
    "rm{,} -rf x",
    "A=1 {rm,-rf,x}",
    "! {rm,-rf,x}",
    "sudo {rm,-rf,x}",
    "bash -c '{rm,-rf,x}'",
    "bash -o pipefail <<< 'rm -rf x'",
    "bash -s y << X\nrm x\nX\n",
    "echo 'rm x' | bash -o errexit",
    "bash -euo pipefail <<< 'rm x'",
    "bash /dev/stdin <<< 'rm x'",
    "bash -x /dev/fd/0 <<< 'rm x'",
    "echo 'rm x' | sudo sh",
    "echo 'rm x' | env -i bash",
    "time bash <<< 'rm x'",
    "sudo -s <<< 'rm x'",
    "su - <<< 'rm x'",
    "echo 'rm x' | xargs env",
    "echo 'rm x' | xargs -0 sh -c",
    "echo 'rm x' | parallel",
    "command . x",
    "command bash -v <<< 'rm x'",
    "{fd}>x rm -rf y",
    "true &>x rm y",
    "bash -c sh <<< 'rm x'",
];

#[test]
fn a_denied_command_is_refused_or_asked_about_however_it_is_spelled() {
    let permissions = permissions(Mode::Yolo, &["deny shell(rm *)"]);
    for spelled in SPELLED {
        for how in 0..9 {
            let line = wrapped(spelled.to_owned(), how);
            assert!(!runs(&permissions, &format!("shell {line}")), "{line:?}");
        }
    }
}

/// Commands that the rules of the laws allow.
fn allowed() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "git status",
        "git log -3",
        "cargo test",
        "git commit -m 'x y'",
        "cargo test 2>&1",
    ])
    .prop_map(str::to_owned)
}

/// Commands that they do not.
fn forbidden() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "rm -rf x",
        "curl x.org",
        "sh",
        "python3 -c 'x'",
        "X=1 git log",
        "git -c a=b log",
        "./git log",
        "eval x",
        "\"rm\" x",
        "r\\m x",
        "'sh' -c x",
        "env git log",
        "git log > x",
        "exec git",
        "cargo  run",
    ]);
    words.prop_map(str::to_owned)
}

fn glue() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["&&", "||", ";", "|", "|&", "&", "\n", " ; ", " && \\\n", "\n\n", ";\t"])
        .prop_map(str::to_owned)
}

fn wrapped(line: String, how: usize) -> String {
    match how {
        0 => line,
        1 => format!("({line})"),
        2 => format!("{{ {line}; }}"),
        3 => format!("git log $({line})"),
        4 => format!("git log `{line}`"),
        5 => format!("git log \"$({line})\""),
        6 => format!("if true; then {line}; fi"),
        7 => format!("git log <({line})"),
        _ => format!("git status # x\n{line}"),
    }
}

proptest! {
    #[test]
    fn a_line_with_an_allowed_and_a_denied_part_is_not_allowed(
        before in prop::collection::vec((allowed(), glue()), 0..3),
        bad in forbidden(),
        after in prop::collection::vec((glue(), allowed()), 0..3),
        how in 0..9_usize,
    ) {
        let mut line: String = before.iter().map(|(part, glue)| format!("{part} {glue} ")).collect();
        line.push_str(&wrapped(bad, how));
        line.extend(after.iter().map(|(glue, part)| format!(" {glue} {part}")));
        let permissions = permissions(Mode::Ask, &["allow shell(git *)", "allow shell(cargo test *)"]);
        prop_assert!(!runs(&permissions, &format!("shell {line}")), "{line:?}");
    }

    #[test]
    fn a_line_of_allowed_parts_is_allowed(
        first in allowed(),
        rest in prop::collection::vec((glue(), allowed()), 0..4),
    ) {
        let mut line = first;
        line.extend(rest.iter().map(|(glue, part)| format!(" {glue} {part}")));
        let permissions = permissions(Mode::Ask, &["allow shell(git *)", "allow shell(cargo test *)"]);
        prop_assert!(runs(&permissions, &format!("shell {line}")), "{line:?}");
    }

    #[test]
    fn a_denied_part_is_refused_or_asked_about_anywhere_in_a_line(
        before in prop::collection::vec((allowed(), glue()), 0..3),
        how in 0..9_usize,
        spelled in prop::sample::select(&SPELLED[..]),
    ) {
        let mut line: String = before.iter().map(|(part, glue)| format!("{part} {glue} ")).collect();
        line.push_str(&wrapped(spelled.to_owned(), how));
        let permissions = permissions(Mode::Yolo, &["deny shell(rm *)"]);
        prop_assert!(!runs(&permissions, &format!("shell {line}")), "{line:?}");
    }

    #[test]
    fn dots_lead_neither_into_denied_nor_out_of_allowed_folders(parts in prop::collection::vec(
        prop::sample::select(vec!["..", ".", "src", "secret", "a", ""]), 1..8)
    ) {
        let path = parts.join("/");
        let lands = parts.iter().enumerate().fold(
            if path.starts_with('/') { Vec::new() } else { vec!["w"] },
            |mut place, (_, part)| {
                match *part {
                    "" | "." => {}
                    ".." => { place.pop(); }
                    part => place.push(part),
                }
                place
            },
        );
        let text = format!("edit_file {path}");
        let allowed = permissions(Mode::Ask, &["allow edit(src/**)"]);
        prop_assert_eq!(runs(&allowed, &text), lands.starts_with(&["w", "src"]) && lands.len() > 1, "{}", path);
        let denied = permissions(Mode::Yolo, &["deny edit(secret/**)"]);
        prop_assert_eq!(runs(&denied, &text), !(lands.starts_with(&["w", "secret"])), "{}", path);
    }
}
