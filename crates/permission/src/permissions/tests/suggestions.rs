//! The rules that a question suggests.

use expect_test::expect;

use super::{decided, permissions};
use crate::decision::Decision;
use crate::mode::Mode;

#[test]
fn suggested_rules() {
    let permissions = permissions(Mode::Ask, &[]);
    let shown: String = [
        "shell cargo test -p x",
        "shell git commit -m x",
        "shell git push --force",
        "shell npm run build",
        "shell ls -l",
        "shell python3 x.py",
        "shell bash -c 'ls'",
        "shell rm -rf x",
        "shell sudo ls",
        "shell env X=1 rm x",
        "shell cargo fmt && cargo test",
        "shell cargo test && rm x",
        "shell git log > x",
        "shell cat a*b",
        "shell find . -exec ls ;",
        "shell find . -name x",
        "shell curl https://x.org",
        "shell sort -o x y",
        "shell printf -v 'a[$(rm x)]' y",
        "shell printf '%s' x",
        "shell uniq a b",
        "edit_file src/a/b.rs",
        "edit_file README.md",
        "edit_file .github/workflows/a.yml",
        "edit_file ../x",
        "edit_file .git/config",
        "fetch https://x.org/a",
        "fetch https://a@x.org/a",
        "fetch https:/X.org",
        "fetch http://[::1]/",
        "mcp__a__b",
        "mine",
    ]
    .iter()
    .map(|text| match decided(&permissions, text) {
        Decision::Ask { rule, .. } => format!("{text}: {}\n", rule.as_deref().unwrap_or("-")),
        other => format!("{text}: {other:?}\n"),
    })
    .collect();
    expect![[r#"
        shell cargo test -p x: shell(cargo test *)
        shell git commit -m x: shell(git commit *)
        shell git push --force: shell(git push --force)
        shell npm run build: shell(npm run build *)
        shell ls -l: shell(ls *)
        shell python3 x.py: shell(python3 x.py)
        shell bash -c 'ls': shell(bash -c 'ls')
        shell rm -rf x: -
        shell sudo ls: -
        shell env X=1 rm x: -
        shell cargo fmt && cargo test: shell(cargo fmt && cargo test)
        shell cargo test && rm x: -
        shell git log > x: -
        shell cat a*b: shell(cat *)
        shell find . -exec ls ;: -
        shell find . -name x: shell(find . -name x)
        shell curl https://x.org: -
        shell sort -o x y: shell(sort -o x y)
        shell printf -v 'a[$(rm x)]' y: shell(printf -v 'a[$(rm x)]' y)
        shell printf '%s' x: shell(printf *)
        shell uniq a b: shell(uniq a b)
        edit_file src/a/b.rs: edit(src/**)
        edit_file README.md: edit(README.md)
        edit_file .github/workflows/a.yml: edit(.github/workflows/a.yml)
        edit_file ../x: -
        edit_file .git/config: -
        fetch https://x.org/a: fetch(domain:x.org)
        fetch https://a@x.org/a: -
        fetch https:/X.org: fetch(domain:x.org)
        fetch http://[::1]/: fetch(domain:[::1])
        mcp__a__b: mcp__a__b
        mine: mine
    "#]]
    .assert_eq(&shown);
}
