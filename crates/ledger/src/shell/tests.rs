//! Which files a command line changes.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::changed_files;

fn check(command: &str, expected: &Expect) {
    let shown: String = changed_files(command)
        .into_iter()
        .map(|change| format!("{} {:?} +{}\n", change.path, change.kind, change.added))
        .collect();
    expected.assert_eq(&shown);
}

#[test]
fn written_files() {
    check(
        "cat > src/a.py <<'EOF'\nimport x > y\nprint(1)\nEOF\necho done >> log.txt",
        &expect![[r#"
        src/a.py Written +2
        log.txt Written +0
    "#]],
    );
    check(
        "cat << EOF > 'my file.txt'\nx\nEOF",
        &expect![[r#"
        my file.txt Written +1
    "#]],
    );
    check(
        "make 2>&1 | tee -a build.log",
        &expect![[r#"
        build.log Written +0
    "#]],
    );
    check(
        "cd /w && sed -i 's/a > b/c/' src/b.py && git diff",
        &expect![[r#"
        src/b.py Edited +0
    "#]],
    );
}

#[test]
fn what_changes_no_file() {
    check("make > /dev/null 2>&1; ls 2> errors; echo \"a > b\" | grep 'x > y'", &expect![""]);
    check("sed -n '1,20p' src/b.py; cat < in.txt; test 1 -gt 0 && echo $x > $y", &expect![""]);
    check("python - <<'EOF'\nopen('a', 'w') > x\nEOF", &expect![""]);
}

proptest! {
    #[test]
    fn any_line_can_be_read(command in "(?s).{0,60}", signs in "[a-z>|&;'\"<\\\\ \n]{0,60}") {
        changed_files(&command);
        for change in changed_files(&signs) {
            prop_assert!(!change.path.is_empty());
        }
    }
}
