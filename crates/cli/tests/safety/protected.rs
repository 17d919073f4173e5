//! Files that file tools never write, or never without a question.

use std::fs;

use serde_json::json;

use crate::attack::{Attack, write};
use crate::users::as_each_user;

/// A file of trust that trusts nothing.
const TRUST: &str = "{\"folders\":{}}";

#[test]
fn settings_and_data_are_never_written_in_any_mode_and_by_no_rule() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let home = attack.home();
        let settings = format!("[tools]\nwritable = [{:?}]\n", home.display().to_string());
        attack.put(".config/throughline/config.toml", &settings);
        attack.put(".local/share/throughline/trust.json", TRUST);
        std::os::unix::fs::symlink(home.join(".config/throughline"), attack.work().join("link")).unwrap();
        let at = |path: &str| home.join(path).display().to_string();
        let paths = [
            at(".config/throughline/config.toml"),
            at(".config/throughline/new/models.toml"),
            at("work/../.config/./throughline/config.toml"),
            "link/config.toml".to_owned(),
            at(".local/share/throughline/trust.json"),
            at(".local/share/throughline/throughline.db"),
        ];
        let mut calls: Vec<_> = paths.iter().map(|path| write(path)).collect();
        calls.push((
            "edit_file",
            json!({ "path": at(".config/throughline/config.toml"), "old_string": "tools", "new_string": "x" }),
        ));
        let args = ["--mode", "yolo", "--allow", "edit", "--allow", "write_file", "--allow", "edit_file"];
        let (results, output) = attack.run(&args, &calls);
        for (call, result) in calls.iter().zip(&results) {
            assert!(
                result.contains("file tools never write there"),
                "{user:?} {call:?}: {result} {output:?}"
            );
        }
        assert_eq!(fs::read_to_string(home.join(".config/throughline/config.toml")).unwrap(), settings);
        assert_eq!(fs::read_to_string(home.join(".local/share/throughline/trust.json")).unwrap(), TRUST);
        assert!(!home.join(".config/throughline/new").exists());
    });
}

#[test]
fn files_that_run_later_are_refused_without_a_user_also_in_auto_edit() {
    let paths = [
        ".throughline/config.toml",
        ".throughline/skills/a/SKILL.md",
        ".mcp.json",
        "packages/a/.mcp.json",
        ".claude/settings.local.json",
        ".envrc",
        ".vscode/tasks.json",
        ".idea/runConfigurations/x.xml",
        ".devcontainer/devcontainer.json",
        ".husky/pre-commit",
        ".bashrc",
        ".ssh/authorized_keys",
    ];
    as_each_user(|user| {
        let attack = Attack::new(user);
        attack.put("work/real/x", "");
        std::os::unix::fs::symlink(attack.work().join(".vscode"), attack.work().join("innocent")).unwrap();
        attack.put("work/.vscode/settings.json", "{}");
        let mut calls: Vec<_> = paths.iter().map(|path| write(path)).collect();
        calls.push(write("innocent/launch.json"));
        for args in [&[][..], &["--mode", "auto-edit", "--allow", "edit(**)"]] {
            let (results, _) = attack.run(args, &calls);
            for (call, result) in calls.iter().zip(&results) {
                assert!(result.contains("was not run"), "{user:?} {call:?}: {result}");
                assert!(result.contains("controls permissions or commands"), "{call:?}: {result}");
            }
        }
        let git = [write(".git/hooks/pre-commit"), write("sub/.git/config")];
        for (call, result) in git.iter().zip(attack.run(&["--mode", "yolo"], &git).0) {
            assert!(result.contains("belongs to git itself"), "{user:?} {call:?}: {result}");
        }
        for path in paths.iter().chain(&[".vscode/launch.json", ".git", "sub"]) {
            assert!(!attack.work().join(path).exists(), "{user:?} {path}");
        }
        let (results, _) = attack.run(&[], &[write("AGENTS.md"), write(".github/workflows/ci.yml")]);
        assert!(results.iter().all(|result| result.starts_with("Created")), "{results:?}");
    });
}
