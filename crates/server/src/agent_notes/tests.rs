//! Which texts are notes of an agent, and which are the words of its user.

use super::is_folded_note;

#[test]
fn only_elements_that_agents_insert_are_folded() {
    for note in [
        "<system-reminder>\nToday is Monday.</system-reminder>",
        "  <environment_context>\n  <cwd>/a</cwd>",
        "<permissions instructions>\nFilesystem",
        "<command-name>/clear</command-name>",
        "# AGENTS.md instructions for /a",
    ] {
        assert!(is_folded_note(note), "{note}");
    }
    for words in
        ["<div> is not centred", "<script>alert(1)</script>", "<pr_description>\nFix it.", "< 3", "Hello"]
    {
        assert!(!is_folded_note(words), "{words}");
    }
}
