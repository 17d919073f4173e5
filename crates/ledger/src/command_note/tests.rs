//! When a command has failed, and its line.

use super::CommandNote;

#[test]
fn a_command_fails_by_its_exit_code_or_by_its_tool() {
    for (exit, failed, failing, line) in [
        (None, false, false, "make"),
        (Some(0), false, false, "make → exit 0"),
        (Some(2), false, true, "make → exit 2"),
        (Some(0), true, true, "make → exit 0"),
        (None, true, true, "make → failed"),
    ] {
        let note = CommandNote { command: "make".to_owned(), exit, failed };
        assert_eq!((note.is_failing(), note.line().as_str()), (failing, line));
        let read = CommandNote::parse(line);
        assert_eq!((read.command.as_str(), read.exit), ("make", exit));
    }
}
