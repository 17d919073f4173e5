//! What is left of a text without the elements of agents.

use super::without_wrappers;

#[test]
fn what_an_agent_adds_is_removed() {
    let check = |text: &str, left: &str| assert_eq!(without_wrappers(text), left, "{text}");
    check("a < b and <p>html</p>", "a < b and <p>html</p>");
    check("fn a() {}\n<system-reminder>\nbe careful\n</system-reminder>\n", "fn a() {}\n\n");
    check("<environment_context>\n  <cwd>/root</cwd>\n</environment_context>", "");
    check("<command-name>/compact</command-name> <command-args></command-args>go", " go");
    let typed = "<command-message>review</command-message>\n<command-name>/review</command-name>";
    check(typed, "/review");
    check(
        &format!("{typed}\n<command-args>the parser\nand its tests</command-args>"),
        "/review the parser\nand its tests",
    );
    check("<command-message>it never ends", "");
    check("<tool_use_error>File has not been read</tool_use_error>", "File has not been read");
    check("<permissions instructions>never</permissions>x", "x");
    check("<system-reminder>it never ends", "");
    check("Chunk ID: f9f5c0\nWall time: 0.1 seconds\nOutput:\nx", "Wall time: 0.1 seconds\nOutput:\nx");
    check("its Chunk ID: f9f5c0\nis x", "its Chunk ID: f9f5c0\nis x");
    check("<system-reminders>text</system-reminders>", "<system-reminders>text</system-reminders>");
}
