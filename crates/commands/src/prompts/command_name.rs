//! Which files of prompts can be commands.

use crate::slash::{is_command, is_unknown};

/// Why a file of this name is no command, and what to do; `None`: it is one.
pub(super) fn name_problem(name: &str) -> Option<String> {
    if !is_word(name) {
        let better = name.replace(char::is_whitespace, "-");
        let last = better.rsplit(':').next().filter(|_| is_word(&better));
        let example = last.map_or_else(String::new, |last| format!(" to {last}.md"));
        return Some(format!("a command is named by letters, `-` and `_`; rename the file{example}"));
    }
    // A line that names a command of the program never names a prompt.
    let is_free = is_unknown(&format!("/{name}"));
    (!is_free).then(|| format!("/{name} is a command of the program; rename the file"))
}

fn is_word(name: &str) -> bool {
    !name.contains(char::is_whitespace) && is_command(&format!("/{name}"))
}
