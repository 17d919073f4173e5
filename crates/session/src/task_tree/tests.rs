//! Names of branches and worktrees.

use std::path::Path;

use super::{branch_of, worktree_of};

// S0-44
#[test]
fn names_are_made_of_the_title() {
    assert_eq!(branch_of("Fix the parser's test!"), "throughline/fix-the-parser-s-test");
    assert_eq!(branch_of("  ünï "), "throughline/n");
    assert_eq!(branch_of("修正"), "throughline/task");
    assert_eq!(branch_of(&"a".repeat(100)).len(), "throughline/".len() + 40);
    let tree = worktree_of(Path::new("/src/app"), "throughline/fix-it").unwrap();
    assert_eq!(tree, Path::new("/src/app-throughline-fix-it"));
}
