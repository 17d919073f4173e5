//! Commits and passed tests in the results of commands.

use throughline_conversation::ToolResult;

use super::{is_milestone, milestone};

#[track_caller]
fn check(command: &str, output: &str, expected: Option<&str>) {
    let found = milestone(command, &ToolResult::text("1", output)).map(|found| found.text);
    assert_eq!(found.as_deref(), expected, "{command}: {output}");
    assert!(found.iter().all(|text| is_milestone(text)));
}

#[test]
fn a_commit_is_known_by_what_git_says() {
    let output = "[main 1a2b3c4] Fix the parser\n 1 file changed, 2 insertions(+)";
    check("cd /w && git add -A && git commit -m x", output, Some("committed 1a2b3c4: Fix the parser"));
    check("git commit -m x", "[main (root-commit) 1a2b3c4d] First", Some("committed 1a2b3c4d: First"));
    check("git commit -m x", "nothing to commit, working tree clean", None);
    check("echo", output, None);
}

#[test]
fn tests_have_passed_when_their_output_says_so() {
    let cargo = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored\ntest result: ok. 5 passed; 0 failed";
    check("cd /w && cargo test -p x 2>&1 | tail -5", cargo, Some("tests passed (7): cargo test -p x"));
    check("cargo test", "test result: FAILED. 2 passed; 1 failed", None);
    check(
        "cargo nextest run",
        "Summary [ 0.1s] 27 tests run: 27 passed, 3 skipped",
        Some("tests passed (27): cargo nextest run"),
    );
    check(
        "python -m pytest -q",
        "=== 12 passed, 1 warning in 0.12s ===",
        Some("tests passed (12): python -m pytest -q"),
    );
    check("pytest", "=== 1 failed, 12 passed in 0.12s ===", None);
    check("npm run test:unit", "Tests:       5 passed, 5 total", Some("tests passed (5): npm run test:unit"));
    check("go test ./...", "ok  \tpkg/a\t0.1s\nok  \tpkg/b\t0.1s", Some("tests passed: go test ./..."));
    check("go test ./...", "ok  \tpkg/a\t0.1s\nFAIL\tpkg/b\t0.1s", None);
    check("python -m unittest", "Ran 3 tests in 0.001s\n\nOK", Some("tests passed: python -m unittest"));
    check("cargo test", "error: could not compile", None);
    check("cat results.log", cargo, None);
    check("cat tests/latest.log", cargo, None);
}
