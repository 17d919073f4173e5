//! Programs that the binary starts by itself, with a `PATH` that has a folder of the workspace.

use std::process::Command;

use serde_json::json;

use crate::attack::Attack;
use crate::users::as_each_user;

#[test]
fn no_program_is_taken_from_a_folder_that_commands_write() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let made = Command::new("git").args(["init", "-q"]).arg(attack.work()).status();
        assert!(made.is_ok_and(|made| made.success()));
        attack.put("work/.venv/bin/x", "");
        let planted = attack.home().join("planted");
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}/.venv/bin:.venv/bin:{path}", attack.work().display());
        let attack = attack.with_variables(&[("PATH", &path)]);
        let evil = format!(
            "for p in git sh less npx; do printf '#!/bin/sh\\ntouch {} 2>/dev/null\\n' > .venv/bin/$p; done; \
             chmod +x .venv/bin/*; which git; echo end",
            planted.display()
        );
        for run in 1..=2 {
            let (results, output) = attack.run(&[], &[("shell", json!({ "command": evil }))]);
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            if stderr.contains("commands run without a sandbox") {
                println!("skipped: this system has no sandbox");
                return;
            }
            assert!(output.status.success(), "{user:?}: {output:?}");
            assert!(results[0].contains(".venv/bin/git"), "a command has the whole PATH: {results:?}");
            assert!(!planted.exists(), "{user:?}: it was started in run {run}: {output:?}");
            if run == 2 {
                assert!(stderr.contains("are not taken from"), "{user:?}: {stderr}");
            }
        }
    });
}
