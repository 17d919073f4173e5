//! What commands have finished, as their results show it: commits, and tests that passed.

use serde::{Deserialize, Serialize};
use throughline_conversation::ToolResult;
use throughline_text::{cut_end, cut_start};

use crate::lines::one_line;
use crate::tool_use::work;

/// Something that a command has finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Milestone {
    /// The command, without the change of folder before it. A later run of it replaces what an earlier one finished.
    pub command: String,
    /// What is finished, in one line.
    pub text: String,
}

/// Programs and subcommands that run tests.
const TESTS: [&str; 11] = [
    "test", "tests", "pytest", "nextest", "jest", "vitest", "mocha", "rspec", "phpunit", "ctest", "unittest",
];

/// The beginnings of what is finished.
const COMMITTED: &str = "committed ";
const PASSED: &str = "tests passed";

/// Bytes at the end of a result that are looked at.
const LOOK: usize = 20_000;

/// Returns true if a step is what a command has finished, and no step of a checklist.
#[must_use]
pub fn is_milestone(step: &str) -> bool {
    step.starts_with(COMMITTED) || step.starts_with(PASSED)
}

/// What a command that has not failed has finished.
pub(crate) fn milestone(command: &str, result: &ToolResult) -> Option<Milestone> {
    let command = one_line(work(command));
    let output = cut_start(&result.content, LOOK);
    let has_word = |word: &str| command.split_whitespace().any(|own| own == word);
    let text = if has_word("git") && has_word("commit") {
        let (hash, subject) = output.lines().rev().find_map(committed)?;
        format!("{COMMITTED}{hash}: {}", one_line(subject))
    } else if runs_tests(&command) {
        match passed(output)? {
            0 => format!("{PASSED}: {command}"),
            count => format!("{PASSED} ({count}): {command}"),
        }
    } else {
        return None;
    };
    Some(Milestone { command, text })
}

/// Returns true if a command runs tests, so far as its words tell.
pub(crate) fn runs_tests(command: &str) -> bool {
    // Of a path nothing tells.
    let words = command.split(|letter: char| letter.is_whitespace() || ":;&|()".contains(letter));
    words.into_iter().any(|word| TESTS.contains(&word))
}

/// The hash and the subject in a line such as `[main 1a2b3c4] Fix the parser`.
fn committed(line: &str) -> Option<(&str, &str)> {
    let (head, subject) = line.trim().strip_prefix('[')?.split_once("] ")?;
    let (_, hash) = head.rsplit_once(' ')?;
    let is_hash = hash.len() >= 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && !subject.is_empty()).then_some((hash, subject))
}

/// How many tests an output says have passed; 0 if it does not say how many. `None`: none, or some have failed.
fn passed(output: &str) -> Option<u64> {
    let (mut count, mut is_said) = (0_u64, false);
    for line in output.lines() {
        let line = cut_end(line, 400);
        let words: Vec<&str> = line
            .split(|letter: char| letter.is_whitespace() || ",;:()=.".contains(letter))
            .filter(|word| !word.is_empty())
            .collect();
        for pair in words.windows(2) {
            let [number, what] = pair else { continue };
            match (number.parse::<u64>(), what.to_ascii_lowercase().as_str()) {
                (Ok(number), "passed" | "passing") if number > 0 => {
                    count = count.saturating_add(number);
                    is_said = true;
                }
                (Ok(1..), "failed" | "failing" | "failures" | "error" | "errors") => return None,
                _ => {}
            }
        }
        if line.starts_with("FAIL") || line.starts_with("--- FAIL") {
            return None;
        }
        // Those of Go and of unittest.
        is_said |= line.starts_with("ok  \t") || line.starts_with("ok \t") || line.trim_end() == "OK";
    }
    is_said.then_some(count)
}

#[cfg(test)]
mod tests;
