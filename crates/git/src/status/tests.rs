//! Outputs as `git` writes them, with a line end for each NUL.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::read;

fn check(output: &str, expect: &Expect) {
    let status = read(output.replace('\n', "\0").as_bytes());
    expect.assert_eq(&format!(
        "{:?} at {:?}\nmodified {:?}\nuntracked {:?}",
        status.branch, status.head_commit, status.modified, status.untracked
    ));
}

// S0-32
#[test]
fn all_kinds_of_lines() {
    check(
        "# branch.oid 0123\n# branch.head feature/a b\n# branch.upstream origin/x\n# branch.ab +1 -0\n# stash 2\n\
         1 .M N... 100644 100644 100644 aa bb z file.rs\n\
         1 A. N... 000000 100644 100644 00 cc a.rs\n\
         1 .M S.M. 160000 160000 160000 dd dd sub\n\
         2 R. N... 100644 100644 100644 ee ee R100 new name.rs\n1 old name.rs\n\
         u UU N... 100644 100644 100644 100644 aa bb cc both.rs\n\
         ? new file.rs\n! ignored.o\nx later kind\n",
        &expect![[r#"
            "feature/a b" at "0123"
            modified ["a.rs", "both.rs", "new name.rs", "sub", "z file.rs"]
            untracked ["new file.rs"]"#]],
    );
    check(
        "# branch.oid (initial)\n# branch.head main\n",
        &expect![[r#"
        "main" at ""
        modified []
        untracked []"#]],
    );
    check(
        "# branch.oid 0123\n# branch.head (detached)\n",
        &expect![[r#"
        "" at "0123"
        modified []
        untracked []"#]],
    );
}

proptest! {
    #[test]
    fn any_output_is_read(output in prop::collection::vec(prop_oneof![Just(0u8), Just(b' '), Just(b'2'), any::<u8>()], 0..80)) {
        let status = read(&output);
        prop_assert!(status.modified.is_sorted());
    }
}
