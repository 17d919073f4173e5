//! `/init` on projects of five kinds: what the tools show of each, and the file that is written is a part of the next session.

use std::fs;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

/// A project, and how a model looks at it.
struct Layout {
    files: &'static [(&'static str, &'static str)],
    /// Calls, each with what its result has. Commands that do more than read are asked about.
    looks: Vec<(&'static str, Value, &'static str)>,
    /// One of the commands is asked about.
    asks: bool,
    /// The command that its AGENTS.md gives.
    test: &'static str,
}

fn list(glob: &str) -> (&'static str, Value) {
    ("list_files", json!({ "glob": glob }))
}

fn check(layout: &Layout) {
    let place = Place::new();
    fs::remove_file(place.work().join("a.txt")).unwrap();
    for (path, text) in layout.files {
        let path = place.work().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let agents = format!("# Commands\n\nTest: `{}`\n", layout.test);
    let mut script = Script::new();
    for (number, (name, input, _)) in layout.looks.iter().enumerate() {
        script = script.then(Answer::call(&format!("c{number}"), name, input.clone()));
    }
    let write = json!({ "path": "AGENTS.md", "content": agents });
    let server = serve(
        script
            .then(Answer::call("w", "write_file", write))
            .then(Answer::text("AGENTS.md is written."))
            .then(Answer::text("I know how to test.")),
    );
    let screen = Tmux::start(&place, &server, (100, 40), &[]);
    screen.ready();
    screen.say("/init the tests matter most");
    if layout.asks {
        screen.answer("Run this command?", "y");
    }
    screen.answer("write AGENTS.md", "y");
    screen.printed("AGENTS.md is written.");
    screen.idle();
    let bodies = server.received();
    let first = bodies.first().unwrap().body.to_string();
    assert!(first.contains("Write the file AGENTS.md") && first.contains("the tests matter most"), "{first}");
    assert!(!first.contains("$ARGUMENTS"), "{first}");
    for ((name, _, holds), body) in layout.looks.iter().zip(bodies.iter().skip(1)) {
        let messages = body.body.get("messages").and_then(Value::as_array).unwrap();
        let result = messages.last().unwrap().to_string();
        assert!(result.contains(holds), "{name} did not show {holds:?}: {result}");
    }
    assert_eq!(fs::read_to_string(place.work().join("AGENTS.md")).unwrap(), agents);
    screen.say("/clear");
    screen.printed("New session.");
    screen.say("How are the tests run?");
    screen.printed("I know how to test.");
    let body = server.received().last().unwrap().body.to_string();
    assert!(
        body.contains(&format!("Test: `{}`", layout.test)),
        "the new session does not have AGENTS.md: {body}"
    );
}

#[test]
fn a_rust_workspace() {
    let (glob, everything) = list("**/Cargo.toml");
    check(&Layout {
        files: &[
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"3\"\n"),
            (
                "crates/core/Cargo.toml",
                "[package]\nname = \"core-of-it\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
            ),
            ("crates/core/src/lib.rs", "pub fn two() -> u8 {\n    2\n}\n"),
            ("crates/app/Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
            ("crates/app/src/main.rs", "fn main() {}\n"),
            (
                ".github/workflows/ci.yml",
                "jobs:\n  test:\n    steps:\n      - run: cargo nextest run --workspace\n",
            ),
            ("rustfmt.toml", "max_width = 90\n"),
        ],
        looks: vec![
            (glob, everything, "crates/app/Cargo.toml"),
            ("grep", json!({ "pattern": "run:", "path": ".github" }), "cargo nextest run"),
            (
                "shell",
                json!({ "command": "cargo metadata --no-deps --offline --format-version 1 | head -c 400" }),
                "crates/app#0.1.0",
            ),
        ],
        asks: true,
        test: "cargo nextest run --workspace",
    });
}

#[test]
fn a_python_package() {
    check(&Layout {
        files: &[
            (
                "pyproject.toml",
                "[project]\nname = \"ledger\"\nversion = \"1.0\"\n[tool.ruff]\nline-length = 100\n",
            ),
            ("src/ledger/__init__.py", "def total(rows):\n    return sum(rows)\n"),
            (
                "tests/test_total.py",
                "import sys, unittest\nsys.path.insert(0, 'src')\nfrom ledger import total\n\nclass T(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n",
            ),
            ("README.md", "Run `python3 -m unittest discover -s tests`.\n"),
        ],
        looks: vec![
            ("read_file", json!({ "path": "pyproject.toml" }), "line-length = 100"),
            ("shell", json!({ "command": "python3 -m unittest discover -s tests 2>&1" }), "Ran 1 test"),
        ],
        asks: true,
        test: "python3 -m unittest discover -s tests",
    });
}

#[test]
fn a_node_monorepo() {
    let (glob, everything) = list("packages/*/package.json");
    check(&Layout {
        files: &[
            (
                "package.json",
                "{ \"private\": true, \"workspaces\": [\"packages/*\"], \"scripts\": { \"test\": \"node --test packages\" } }\n",
            ),
            ("packages/api/package.json", "{ \"name\": \"@house/api\", \"version\": \"1.0.0\" }\n"),
            ("packages/api/index.test.js", "require('node:test')('adds', () => {});\n"),
            ("packages/web/package.json", "{ \"name\": \"@house/web\", \"version\": \"1.0.0\" }\n"),
            ("node_modules/left/package.json", "{ \"name\": \"left\" }\n"),
            (".gitignore", "node_modules/\n"),
        ],
        looks: vec![
            (glob, everything, "packages/web/package.json"),
            ("read_file", json!({ "path": "package.json" }), "node --test packages"),
            ("grep", json!({ "pattern": "\"name\"", "path": "packages" }), "@house/api"),
        ],
        asks: false,
        test: "npm test",
    });
}

#[test]
fn a_go_module() {
    let (glob, everything) = list("**/*.go");
    check(&Layout {
        files: &[
            ("go.mod", "module example.com/house\n\ngo 1.24\n"),
            ("cmd/house/main.go", "package main\n\nfunc main() {}\n"),
            (
                "internal/rows/rows_test.go",
                "package rows\n\nimport \"testing\"\n\nfunc TestRows(t *testing.T) {}\n",
            ),
            ("Makefile", "test:\n\tgo test ./... -race\n"),
        ],
        looks: vec![
            (glob, everything, "internal/rows/rows_test.go"),
            ("shell", json!({ "command": "cat go.mod Makefile" }), "go test ./... -race"),
        ],
        asks: false,
        test: "make test",
    });
}

#[test]
fn files_of_several_kinds_without_a_build() {
    let (glob, everything) = list("**/*");
    check(&Layout {
        files: &[
            ("report/totals.sql", "select sum(amount) from rows;\n"),
            ("site/index.html", "<h1>House</h1>\n"),
            ("bin/check.sh", "#!/bin/sh\ntest -s site/index.html && echo checked\n"),
            ("NOTES.txt", "The check is `sh bin/check.sh`.\n"),
            ("CLAUDE.md", "Keep the SQL portable.\n"),
        ],
        looks: vec![
            (glob, everything, "report/totals.sql"),
            ("read_file", json!({ "path": "CLAUDE.md" }), "Keep the SQL portable."),
            ("shell", json!({ "command": "sh bin/check.sh" }), "checked"),
        ],
        asks: true,
        test: "sh bin/check.sh",
    });
}
