//! HEAD as the files of a repository say it.

use super::*;

const ONE: &str = "a9bd05e1111111111111111111111111111111111";
const TWO: &str = "65c05062222222222222222222222222222222222";

#[test]
fn a_branch_is_loose_packed_or_in_the_repository_of_a_worktree() {
    let folder = tempfile::TempDir::new().unwrap();
    let top = folder.path();
    let write = |path: &str, text: &str| {
        let path = top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    assert_eq!(head_of(top), None);
    write(".git/HEAD", "ref: refs/heads/master\n");
    assert_eq!(head_of(top), None, "nothing is committed");
    write(".git/packed-refs", &format!("# pack-refs with: peeled\n{ONE} refs/heads/master\n"));
    assert_eq!(head_of(top).as_deref(), Some("a9bd05e (master)"));
    write(".git/refs/heads/master", &format!("{TWO}\n"));
    assert_eq!(head_of(top).as_deref(), Some("65c0506 (master)"));
    write(".git/worktrees/w/HEAD", "ref: refs/heads/fix/it\n");
    write(".git/worktrees/w/commondir", "../..\n");
    write(".git/refs/heads/fix/it", &format!("{ONE}\n"));
    write("w/.git", &format!("gitdir: {}\n", top.join(".git/worktrees/w").display()));
    assert_eq!(head_of(&top.join("w")).as_deref(), Some("a9bd05e (fix/it)"));
    write(".git/HEAD", &format!("{ONE}\n"));
    assert_eq!(head_of(top).as_deref(), Some("a9bd05e"));
}
