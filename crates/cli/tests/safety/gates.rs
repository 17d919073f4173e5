//! Quality gates, which run what the model has written, and the task file that names them.

use std::fs;

use serde_json::{Value, json};

use crate::attack::Attack;
use crate::users::as_each_user;

/// A task whose gate runs a file of the workspace.
const TASK: &str = "+++\ngates = [\"sh check.sh\"]\nmax_iterations = 1\n+++\n# T\nDo it.\n";

/// What the model lets the gate run.
fn check() -> (&'static str, Value) {
    (
        "write_file",
        json!({ "path": "check.sh", "content": "echo evil > ../planted; echo x > inside; exit 1\n" }),
    )
}

#[test]
fn a_gate_writes_nothing_outside_unless_the_user_allows_it() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        attack.put("work/t.md", TASK);
        let (_, output) = attack.run_task("t.md", &[check()]);
        if String::from_utf8_lossy(&output.stderr).contains("has no sandbox to run them in") {
            println!("skipped: this system has no sandbox");
            return;
        }
        assert!(attack.work().join("inside").exists(), "{user:?}: the gate did not run: {output:?}");
        assert!(!attack.home().join("planted").exists(), "{user:?}: {output:?}");
        // A project cannot lift that, not even a trusted one.
        attack.put("work/.throughline/config.toml", "[tools]\nsandboxed_gates = false\n");
        attack.run_task("t.md", &[check()]);
        assert!(!attack.home().join("planted").exists(), "{user:?}: by the project's settings");
        attack.put(".config/throughline/config.toml", "[tools]\nsandboxed_gates = false\n");
        attack.run_task("t.md", &[check()]);
        assert!(attack.home().join("planted").exists(), "{user:?}: by the user's own settings");
    });
}

#[test]
fn a_task_file_is_changed_by_no_tool_and_no_command() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        attack.put("work/sub/t.md", TASK);
        let edit =
            json!({ "path": "sub/t.md", "old_string": "sh check.sh", "new_string": "touch ../planted" });
        let commands = "echo x >> sub/t.md; rm -f sub/t.md; mv -f x sub/t.md; mv sub other; ln -sf /etc/passwd sub/t.md; \
                        sed -i s/check/evil/ sub/t.md; touch x sub/new; mv x sub/x; echo end";
        let calls = [
            ("read_file", json!({ "path": "sub/t.md" })),
            ("edit_file", edit),
            ("write_file", json!({ "path": "sub/../sub/t.md", "content": "x" })),
            ("shell", json!({ "command": commands })),
        ];
        let (results, output) = attack.run_task("sub/t.md", &calls);
        for result in &results[1..3] {
            assert!(result.contains("file tools never write there"), "{user:?}: {result} {output:?}");
        }
        assert!(results[3].contains("end"), "{user:?}: {results:?}");
        let text = fs::read_to_string(attack.work().join("sub/t.md"));
        assert_eq!(text.ok().as_deref(), Some(TASK), "{user:?}: {results:?}");
        assert!(
            attack.work().join("sub/new").exists() && attack.work().join("sub/x").exists(),
            "{results:?}"
        );
    });
}
