//! Commands of programs that run other programs, or set which ones will be run.

use crate::command::options::has_word;

/// Those of each program, with a space between two.
const COMMANDS: [(&str, &str); 20] = [
    ("kubectl", "exec cp config debug run edit plugin attach proxy"),
    ("docker", "run exec cp create build buildx plugin context save export"),
    ("podman", "run exec cp create build save export"),
    ("gh", "alias extension config codespace"),
    ("npm", "exec x explore init create config set set-script edit"),
    ("pnpm", "exec dlx create config set"),
    ("yarn", "exec dlx create config set plugin"),
    ("bun", "x create"),
    ("pip", "config"),
    ("pip3", "config"),
    ("uv", "run tool x"),
    ("cargo", "rustc rustdoc"),
    ("dotnet", "exec tool"),
    ("openssl", "engine"),
    ("helm", "plugin"),
    ("ip", "netns"),
    ("redis-cli", "eval config"),
    ("composer", "exec config"),
    ("gem", "exec"),
    ("aws", "configure"),
];

/// Those programs of which no option does this.
const PLAIN: [&str; 3] = ["kubectl", "podman", "gh"];

/// Returns true if the options of a program are known to be harmless.
pub(super) fn knows(program: &str) -> bool {
    PLAIN.contains(&program)
}

/// The word by which a program gets such a command. Behind an option, a word may be its value or the command.
pub(super) fn risks<'a>(program: &str, words: &'a [String]) -> Option<&'a str> {
    let (_, commands) = COMMANDS.iter().find(|(own, _)| *own == program)?;
    let mut before = "";
    for word in words {
        if has_word(&[commands], word) {
            return Some(word);
        }
        if !word.starts_with('-') && !before.starts_with('-') {
            return None;
        }
        before = word;
    }
    None
}
