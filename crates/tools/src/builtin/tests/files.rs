//! Tests of the tools that read, write and edit files.

use std::path::Path;

use expect_test::expect;
use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};
use serde_json::json;

use super::super::builtin_tools::BuiltinTools;
use super::super::line_endings::dos;
use super::super::replacement::Replacement;
use super::Workspace;
use crate::file_scope::FileScope;

#[tokio::test]
async fn a_file_is_shown_with_line_numbers() {
    let workspace = Workspace::of(&[("src/a.rs", "fn main() {\r\n    go();\n}")]);
    let text = workspace.fine("read_file", json!({"path": "src/a.rs"})).await;
    let shown = "     1\tfn main() {\n     2\t    go();\n     3\t}\n[end of file: 3 lines]";
    assert_eq!(text, shown);
    let absolute = workspace.path("src/a.rs");
    assert_eq!(workspace.fine("read_file", json!({"path": absolute})).await, shown);
}

#[tokio::test]
async fn a_partial_read_names_the_next_offset() {
    let lines: String = (1..=2_500).map(|n| format!("line {n}\n")).collect();
    let workspace = Workspace::of(&[("long.txt", &lines), ("empty.txt", "")]);
    let text = workspace.fine("read_file", json!({"path": "long.txt", "offset": 3, "limit": 2})).await;
    assert_eq!(text, "     3\tline 3\n     4\tline 4\n[more follows: continue with offset 5]");
    let text = workspace.fine("read_file", json!({"path": "long.txt", "limit": 9_999})).await;
    assert!(
        text.ends_with("  2000\tline 2000\n[more follows: continue with offset 2001]"),
        "2,000 lines are the most"
    );
    let text = workspace.fine("read_file", json!({"path": "long.txt", "offset": 2_500})).await;
    assert_eq!(text, "  2500\tline 2500\n[end of file: 2,500 lines]");
    let text = workspace.refused("read_file", json!({"path": "long.txt", "offset": 2_501})).await;
    assert_eq!(text, "The file has 2,500 lines; line 2501 is behind its end.");
    assert_eq!(workspace.fine("read_file", json!({"path": "empty.txt"})).await, "[the file is empty]");
}

#[tokio::test]
async fn long_lines_stay_within_50_kib() {
    let wide = "ü".repeat(60_000);
    let many = format!("{}\n", "x".repeat(999)).repeat(100);
    let workspace = Workspace::of(&[("wide.txt", &format!("{wide}\nend\n")), ("many.txt", &many)]);
    let text = workspace.fine("read_file", json!({"path": "wide.txt"})).await;
    assert!(text.len() < 52 * 1024, "{}", text.len());
    assert!(text.contains("[a line was too long and was cut"), "{}", text.len());
    assert!(text.ends_with("[more follows: continue with offset 2]"));
    let rest = workspace.fine("read_file", json!({"path": "wide.txt", "offset": 2})).await;
    assert_eq!(rest, "     2\tend\n[end of file: 2 lines]");
    let text = workspace.fine("read_file", json!({"path": "many.txt"})).await;
    assert!(text.len() < 51 * 1024 && text.ends_with("[more follows: continue with offset 51]"));
}

#[tokio::test]
async fn a_failed_read_suggests_the_next_step() {
    let workspace = Workspace::of(&[("src/main.rs", "x"), ("src/lib.rs", "x")]);
    workspace.put("pic.png", b"\x89PNG\0\0");
    let mut all = String::new();
    for path in ["src/mian.rs", "source/main.rs", "src", "pic.png", "", "src/main.rs/x"] {
        all.push_str(&workspace.refused("read_file", json!({ "path": path })).await);
        all.push('\n');
    }
    expect![[r#"
        There is no src/mian.rs. Similar names in its folder: main.rs.
        There is no source/main.rs. The folder source is missing too.
        src is a folder. list_files shows what is in it.
        pic.png is a binary file of 6 bytes; it has no lines to show. Use shell with a program that knows its form, or with od.
        The path is empty. Name a file or a folder of the workspace.
        There is no src/main.rs/x. src/main.rs is a file, not a folder.
    "#]]
    .assert_eq(&all);
}

#[tokio::test]
async fn invalid_utf_8_is_marked() {
    let workspace = Workspace::of(&[]);
    workspace.put("latin.txt", b"caf\xe9\nend\n");
    let text = workspace.fine("read_file", json!({"path": "latin.txt"})).await;
    let mark = "[not all of it is UTF-8: what is not is shown as \u{fffd}; change it with shell]";
    assert_eq!(text, format!("     1\tcaf\u{fffd}\n     2\tend\n{mark}\n[end of file: 2 lines]"));
    let text = workspace.fine("read_file", json!({"path": "latin.txt", "offset": 2})).await;
    assert_eq!(text, "     2\tend\n[end of file: 2 lines]");
}

#[tokio::test]
async fn no_path_leads_out_of_the_workspace() {
    let outside = Workspace::of(&[("secret.txt", "secret")]);
    let workspace = Workspace::of(&[("in.txt", "in")]);
    std::os::unix::fs::symlink(outside.root(), workspace.path("link")).unwrap();
    std::os::unix::fs::symlink(outside.path("new.txt"), workspace.path("dangling")).unwrap();
    std::os::unix::fs::symlink(workspace.path("in.txt"), workspace.path("inner")).unwrap();
    let secret = outside.path("secret.txt").display().to_string();
    let paths = ["../x", "link/secret.txt", "link/new.txt", &secret, "/etc/passwd", "no/../../x", "dangling"];
    for path in paths {
        for (name, input) in [
            ("read_file", json!({ "path": path })),
            ("write_file", json!({ "path": path, "content": "x" })),
            ("edit_file", json!({ "path": path, "old_string": "secret", "new_string": "x" })),
        ] {
            let text = workspace.refused(name, input).await;
            assert!(text.contains("outside of the workspace") || path == "dangling", "{path}: {text}");
        }
    }
    assert_eq!(outside.read("secret.txt"), "secret");
    assert_eq!(std::fs::read_dir(outside.root()).unwrap().count(), 1, "nothing was written outside");
    assert!(workspace.fine("read_file", json!({"path": "inner"})).await.contains("in"));
}

#[tokio::test]
async fn writing_creates_folders_preserves_permissions_and_leaves_no_draft() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::of(&[("run.sh", "echo 1\n")]);
    std::fs::set_permissions(workspace.path("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let text = workspace.fine("write_file", json!({"path": "a/b/c.txt", "content": "one\ntwo\n"})).await;
    assert_eq!(text, "Created a/b/c.txt: 2 lines, 8 bytes.");
    assert_eq!(workspace.read("a/b/c.txt"), "one\ntwo\n");
    workspace.fine("read_file", json!({"path": "run.sh"})).await;
    let text = workspace.fine("write_file", json!({"path": "run.sh", "content": "echo 2\n"})).await;
    assert_eq!(text, "Replaced run.sh: 1 line, 7 bytes.");
    assert_eq!(workspace.read("run.sh"), "echo 2\n");
    assert_eq!(std::fs::metadata(workspace.path("run.sh")).unwrap().permissions().mode() & 0o777, 0o755);
    let text = workspace.refused("write_file", json!({"path": "a", "content": "x"})).await;
    assert_eq!(text, "a is a folder. Name a file in it.");
    assert_eq!(std::fs::read_dir(workspace.root()).unwrap().count(), 2);
}

#[tokio::test]
async fn an_edit_changes_the_one_occurrence() {
    let workspace = Workspace::of(&[("a.rs", "let a = 1;\nlet b = 1;\nlet c = 1;\n")]);
    let input = json!({"path": "a.rs", "old_string": "let b = 1;\n", "new_string": "let b = 2;\n"});
    assert_eq!(workspace.fine("edit_file", input).await, "Edited a.rs: 1 place, line 2.");
    let all = json!({"path": "a.rs", "old_string": "= 1", "new_string": "= 3", "replace_all": true});
    assert_eq!(workspace.fine("edit_file", all).await, "Edited a.rs: 2 places, lines 1, 3.");
    assert_eq!(workspace.read("a.rs"), "let a = 3;\nlet b = 2;\nlet c = 3;\n");
}

#[tokio::test]
async fn an_edit_that_does_not_match_explains_why_and_changes_nothing() {
    let text = "fn a() {\n  let x = 1;\n  let y = 2;\n}\nfn b() {\n}\n";
    let workspace = Workspace::of(&[
        ("a.rs", text),
        ("quote.md", "it’s “so” – and so\n"),
        ("mixed.txt", "one\r\ntwo\nthree\n"),
    ]);
    workspace.put("latin.txt", b"caf\xe9");
    let mut all = String::new();
    let edits = [
        ("a.rs", "\n}", "x"),
        ("a.rs", "    let x = 1;\n    let y = 2;", "x"),
        ("a.rs", "  let x = 1;\n  let y = 3;\n", "x"),
        ("a.rs", "fn c() {", "x"),
        ("a.rs", "     2\t  let x = 1;\n     3\t  let y = 2;", "x"),
        ("quote.md", "it's \"so\" - and so", "x"),
        ("a.rs", "", "x"),
        ("a.rs", " \n \n \n", "x"),
        ("a.rs", "fn a", "fn a"),
        ("mixed.txt", "one\ntwo", "x"),
        ("latin.txt", "caf", "x"),
    ];
    for (path, old, new) in edits {
        let input = json!({"path": path, "old_string": old, "new_string": new});
        all.push_str(&workspace.refused("edit_file", input).await);
        all.push('\n');
    }
    expect![[r#"
        old_string stands 2 times in a.rs, lines 3, 5. Add lines around it until it is unique, or set replace_all.
        old_string is not in a.rs. Line 2 on differs from it in white space only. There stands:
          let x = 1;
          let y = 2;
        old_string is not in a.rs. Its first line is line 2, but line 3 differs. There stands:
          let y = 2;
        old_string is not in a.rs. Nothing like it is there. Read the file again: it may have changed.
        old_string is not in a.rs. It stands there without the line numbers that read_file shows; leave them out.
        old_string is not in quote.md. Line 1 on differs from it in white space, quotes or dashes only. There stands:
        it’s “so” – and so
        old_string is empty. Name the text to replace; write_file writes a whole file.
        old_string is not in a.rs. It has white space alone; take a line with words into it.
        old_string and new_string are the same: nothing would change.
        old_string is not in mixed.txt. Lines of the file end with \r\n in part; write old_string and new_string with \r\n where it has them.
        latin.txt is no UTF-8 text, so it cannot be edited. Use shell with a fitting program.
    "#]]
    .assert_eq(&all);
    assert_eq!(workspace.read("a.rs"), text);
}

#[tokio::test]
async fn the_line_endings_of_a_file_are_preserved() {
    let workspace = Workspace::of(&[("crlf.txt", "one\r\ntwo\r\nthree\r\n")]);
    let input = json!({"path": "crlf.txt", "old_string": "one\ntwo", "new_string": "1\n2"});
    assert_eq!(workspace.fine("edit_file", input).await, "Edited crlf.txt: 1 place, line 1.");
    assert_eq!(workspace.read("crlf.txt"), "1\r\n2\r\nthree\r\n");
    let input = json!({"path": "crlf.txt", "old_string": "2", "new_string": "2\n2.5"});
    workspace.fine("edit_file", input).await;
    assert_eq!(workspace.read("crlf.txt"), "1\r\n2\r\n2.5\r\nthree\r\n", "also where the old text has none");
    let edit = |old: &str, new: &str| json!({ "old_string": old, "new_string": new });
    let edits = json!([edit("three", "3\n4"), edit("4\r\n", "4\n5\n")]);
    workspace.fine("multi_edit", json!({ "path": "crlf.txt", "edits": edits })).await;
    assert_eq!(workspace.read("crlf.txt"), "1\r\n2\r\n2.5\r\n3\r\n4\r\n5\r\n");
    let all = json!({"path": "crlf.txt", "old_string": "\r\n", "new_string": "\n", "replace_all": true});
    workspace.fine("edit_file", all).await;
    assert_eq!(
        workspace.read("crlf.txt"),
        "1\n2\n2.5\n3\n4\n5\n",
        "an edit of line endings alone is taken literally"
    );
}

#[tokio::test]
async fn an_edit_that_begins_at_a_line_ending_does_not_split_it() {
    let edits = [
        ("\nb", "\nc\nb", "a\r\nc\r\nb\r\n"),
        ("\nb\r\n", "\nc\n", "a\r\nc\r\n"),
        ("\nb", "", "a\r\n"),
        ("a\n", "a\r\nx\n", "a\r\nx\r\nb\r\n"),
        ("\n", " ", "a b "),
        ("\r", "", "a\nb\n"),
        ("\r\n", "\n", "a\nb\n"),
    ];
    for (old, new, after) in edits {
        let workspace = Workspace::of(&[("a.txt", "a\r\nb\r\n")]);
        let edit = json!({ "old_string": old, "new_string": new, "replace_all": true });
        workspace.fine("multi_edit", json!({ "path": "a.txt", "edits": [edit] })).await;
        assert_eq!(workspace.read("a.txt"), after, "{old:?} to {new:?}");
    }
    let workspace = Workspace::of(&[("a.txt", "a\r\nb\r\n"), ("mixed.txt", "a\r\nb\n")]);
    let edit = json!({"path": "a.txt", "old_string": "a\n", "new_string": "a\r\n"});
    let text = workspace.refused("edit_file", edit).await;
    assert!(text.ends_with("nothing would change. The lines of a.txt end with \\r\\n already."), "{text}");
    // A file with mixed line endings is edited literally.
    let edit = json!({"path": "mixed.txt", "old_string": "\nb", "new_string": "\nc\nb"});
    workspace.fine("edit_file", edit).await;
    assert_eq!(workspace.read("mixed.txt"), "a\r\nc\nb\n");
}

#[tokio::test]
async fn an_overwritten_file_preserves_its_line_endings() {
    let workspace = Workspace::of(&[("crlf.txt", "one\r\ntwo\r\n"), ("mixed.txt", "one\r\ntwo\n")]);
    let write = |path: &str, content: &str| json!({ "path": path, "content": content });
    let text = workspace.fine("write_file", write("crlf.txt", "one\ntwo\n")).await;
    assert_eq!(text, "Replaced crlf.txt: 2 lines, 10 bytes. Its lines end with \\r\\n as before.");
    assert_eq!(workspace.read("crlf.txt"), "one\r\ntwo\r\n", "nothing was lost, so it need not be read");
    workspace.put("crlf.txt", b"1\r\n");
    let text = workspace.refused("write_file", write("crlf.txt", "one\ntwo\n")).await;
    assert!(text.contains("was changed by something else"), "{text}");
    workspace.fine("write_file", write("crlf.txt", "3\n4")).await;
    assert_eq!(workspace.read("crlf.txt"), "3\r\n4");
    assert_eq!(
        workspace.fine("write_file", write("crlf.txt", "5")).await,
        "Replaced crlf.txt: 1 line, 1 byte."
    );
    for content in ["one\n", "one\r\n"] {
        workspace.fine("read_file", json!({"path": "mixed.txt"})).await;
        workspace.fine("write_file", write("mixed.txt", content)).await;
        assert_eq!(workspace.read("mixed.txt"), content);
    }
    workspace.fine("write_file", write("mixed.txt", "a\r\nb\n")).await;
    assert_eq!(workspace.read("mixed.txt"), "a\r\nb\n", "mixed line endings are taken literally");
}

#[tokio::test]
async fn several_edits_are_made_all_or_none() {
    let workspace = Workspace::of(&[("a.rs", "let a = 1;\nlet b = 1;\n")]);
    let edit = |old: &str, new: &str| json!({ "old_string": old, "new_string": new });
    let edits = json!([edit("let a = 1;", "let a = 2;"), edit("= 2;", "= 3;"), edit("let c", "let d")]);
    let text = workspace.refused("multi_edit", json!({ "path": "a.rs", "edits": edits })).await;
    assert_eq!(
        text,
        "Edit 3 of 3 cannot be made, so none was: old_string is not in a.rs. Nothing like it is there. Read the file \
         again: it may have changed. Each edit works on the text as the edits before it left it."
    );
    let edits = json!([edit("let a = 1;", "let a = 2;"), edit("let", "var")]);
    let text = workspace.refused("multi_edit", json!({ "path": "a.rs", "edits": edits })).await;
    assert!(text.starts_with("Edit 2 of 2 cannot be made, so none was: old_string stands 2 times"), "{text}");
    assert_eq!(workspace.read("a.rs"), "let a = 1;\nlet b = 1;\n");
    let all = json!({ "old_string": "let", "new_string": "var", "replace_all": true });
    let edits = json!([edit("let a = 1;", "let a = 2;"), edit("= 2;", "= 3;"), all]);
    let text = workspace.fine("multi_edit", json!({ "path": "a.rs", "edits": edits })).await;
    assert_eq!(text, "Edited a.rs: 3 edits.");
    assert_eq!(workspace.read("a.rs"), "var a = 3;\nvar b = 1;\n");
    let text = workspace.refused("multi_edit", json!({ "path": "a.rs", "edits": [] })).await;
    assert_eq!(text, "edits is empty. Name at least one edit.");
}

#[tokio::test]
async fn an_additional_root_can_be_allowed() {
    let outside = Workspace::of(&[("notes.txt", "one\n")]);
    let scope = FileScope::new().with_roots([outside.root(), Path::new("/does/not/exist")]);
    let workspace = Workspace::with(&[("in.txt", "in")], &BuiltinTools::new().scope(scope));
    let notes = outside.path("notes.txt").canonicalize().unwrap().display().to_string();
    assert!(workspace.fine("read_file", json!({ "path": notes })).await.contains("one"));
    workspace.fine("edit_file", json!({"path": notes, "old_string": "one", "new_string": "two"})).await;
    assert_eq!(outside.read("notes.txt"), "two\n");
    let found = workspace.fine("grep", json!({"pattern": "two", "path": outside.root()})).await;
    assert_eq!(found, format!("{notes}:1:two"));
    let text = workspace.refused("read_file", json!({"path": "/etc/hostname"})).await;
    assert!(text.contains("outside of the workspace"), "{text}");
}

#[tokio::test]
async fn the_git_folder_is_read_only() {
    let workspace = Workspace::of(&[(".git/config", "[core]\n"), (".gitignore", "x\n")]);
    std::os::unix::fs::symlink(workspace.path(".git"), workspace.path("innocent")).unwrap();
    for path in [".git/config", ".git/hooks/pre-commit", "innocent/config", "sub/.GIT/config", ".git"] {
        let text = workspace.refused("write_file", json!({ "path": path, "content": "x" })).await;
        assert!(text.contains("belongs to git itself"), "{path}: {text}");
    }
    for path in [".git/config", "innocent/config"] {
        let input = json!({"path": path, "old_string": "core", "new_string": "x"});
        let text = workspace.refused("edit_file", input).await;
        assert!(text.contains("belongs to git itself"), "{path}: {text}");
    }
    assert!(workspace.fine("read_file", json!({"path": ".git/config"})).await.contains("[core]"));
    workspace.fine("edit_file", json!({"path": ".gitignore", "old_string": "x", "new_string": "y"})).await;
}

proptest! {
    #[test]
    fn line_endings_do_not_change_the_result_of_an_edit(
        text in "[ab\n]{0,8}\n[ab\n]{0,8}",
        old in "[ab\n]{1,3}",
        new in "[abc\n]{0,4}",
        replace_all in any::<bool>(),
    ) {
        let edit = Replacement { old_string: old, new_string: new, replace_all };
        let plain = edit.apply(&text, "f");
        let with_ends = edit.apply(&dos(&text), "f");
        match (plain, with_ends) {
            (Ok((plain, places)), Ok((with_ends, others))) => {
                prop_assert_eq!(dos(&plain), with_ends);
                prop_assert_eq!(places, others);
            }
            (plain, with_ends) => prop_assert!(plain.is_err() && with_ends.is_err()),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        offset in 0u64..6,
    ) {
        let workspace = Workspace::of(&[]);
        workspace.put("f", &bytes);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let output = runtime.block_on(workspace.call("read_file", json!({"path": "f", "offset": offset})));
        assert!(!output.bytes.is_empty());
        assert_eq!(output.is_error, bytes.contains(&0) || output.to_text().contains("behind its end"));
    }
}

#[tokio::test]
async fn the_other_names_of_a_file_follow_an_edit_if_all_are_in_the_workspace() {
    use std::os::unix::fs::MetadataExt as _;

    let workspace = Workspace::of(&[("one.txt", "v=1\n"), ("sub/x.txt", "x"), (".hidden/x.txt", "x")]);
    let at = |name: &str| workspace.path(name);
    std::fs::hard_link(at("one.txt"), at("sub/two.txt")).unwrap();
    let edit = |from: &str, to: &str| json!({"path": "one.txt", "old_string": from, "new_string": to});
    let said = workspace.fine("edit_file", edit("v=1", "v=2")).await;
    assert!(
        said.ends_with("The file has 2 names (hard links), and all have the new content: sub/two.txt."),
        "{said}"
    );
    assert_eq!(std::fs::read_to_string(at("sub/two.txt")).unwrap(), "v=2\n");
    let inode = |name: &str| std::fs::metadata(at(name)).unwrap().ino();
    assert_eq!(inode("one.txt"), inode("sub/two.txt"), "it is one file still");
    // The model knows the content of the other name.
    let other = json!({"path": "sub/two.txt", "old_string": "v=2", "new_string": "v=3"});
    workspace.fine("edit_file", other).await;
    assert_eq!(std::fs::read_to_string(at("one.txt")).unwrap(), "v=3\n");

    std::fs::hard_link(at("one.txt"), at(".hidden/three.txt")).unwrap();
    let said = workspace.fine("edit_file", edit("v=3", "v=4")).await;
    assert!(said.contains("3 names (hard links). Only one.txt has the new content"), "{said}");
    for kept in ["sub/two.txt", ".hidden/three.txt"] {
        assert_eq!(std::fs::read_to_string(at(kept)).unwrap(), "v=3\n", "{kept}");
    }
    let names = std::fs::read_dir(at("sub")).unwrap().count();
    assert_eq!(names, 2, "no draft is left");
}

#[tokio::test]
async fn a_file_keeps_its_byte_order_mark() {
    let workspace = Workspace::of(&[("a.cs", "\u{feff}one\r\n"), ("b.txt", "two\n")]);
    for path in ["a.cs", "b.txt"] {
        workspace.fine("read_file", json!({ "path": path })).await;
    }
    let text = workspace.fine("write_file", json!({ "path": "a.cs", "content": "new\n" })).await;
    assert!(
        text.ends_with("Its lines end with \\r\\n as before. It begins with a byte order mark as before."),
        "{text}"
    );
    assert_eq!(workspace.read("a.cs"), "\u{feff}new\r\n");
    workspace.fine("write_file", json!({ "path": "b.txt", "content": "new\n" })).await;
    assert_eq!(workspace.read("b.txt"), "new\n");
}
