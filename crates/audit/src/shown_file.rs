//! Files that commands show.

/// The file that a command line only shows, such as `sed -n 1,80p src/main.rs`.
pub(super) fn file_of_command(command: &str) -> Option<String> {
    const SHOWING: [&str; 6] = ["cat", "head", "tail", "nl", "less", "sed"];
    // The file of a pipe's first program is shown in part, and what comes after `;` shows something else.
    if command.contains(['|', ';', '&', '>', '<', '\n']) {
        return None;
    }
    let words: Vec<&str> = command.split_whitespace().collect();
    let (program, rest) = words.split_first()?;
    if !SHOWING.contains(program) || (*program == "sed" && !rest.contains(&"-n")) {
        return None;
    }
    let path = rest.last()?.trim_matches(['"', '\'']);
    (!path.starts_with('-') && path.contains(['.', '/'])).then(|| path.to_owned())
}
