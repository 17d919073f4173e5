//! The page of the documentation that lists the commands; `UPDATE_EXPECT=1` writes it.

use std::fmt::Write as _;

use super::rows::{CommandRow, rows};

/// What the page says before its tables.
const BEGIN: &str = "# Slash commands

A line that begins with `/` and a word is a command of the session and no message to the model. `/help` lists them in a session, and Tab
completes one. Words in capitals stand for a value, brackets for what may be left out.

- *While a turn runs*: the command may be typed then, too. The others wait for its end.
- *Everywhere*: it also works as a prompt of [`throughline run -c`](commands.md#steer-what-the-model-sees) and in an
  [editor](acp.md). The others need the terminal.

`/init` and `/review [WHAT]`, the prompts of the project and those of plugins are messages to the model, so they work everywhere.
";

fn row(row: &CommandRow) -> String {
    let typed = format!("{} {}", row.name, row.arguments).trim_end().replace('|', "\\|");
    let cell = |is: bool| if is { " yes " } else { " " };
    format!("| `{typed}` | {} |{}|{}|", row.about, cell(row.anytime), cell(!row.on_screen))
}

#[test]
fn the_page_lists_every_command() {
    let (mut page, mut group) = (BEGIN.to_owned(), "");
    for one in rows() {
        if one.group != group {
            group = one.group;
            let heading = format!("{}{}", group[..1].to_uppercase(), &group[1..]);
            write!(page, "\n## {heading}\n\n| command | what it does | while a turn runs | everywhere |\n|---|---|---|---|\n")
                .unwrap();
        }
        writeln!(page, "{}", row(&one)).unwrap();
    }
    expect_test::expect_file!["../../../../docs/slash-commands.md"].assert_eq(&page);
}
