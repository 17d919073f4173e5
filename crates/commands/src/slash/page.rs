//! The page of the documentation that lists the commands; `UPDATE_EXPECT=1` writes it.

use std::fmt::Write as _;

use super::rows::{CommandRow, rows};

/// The page. What it says before its tables is written by hand.
const PAGE: &str = include_str!("../../../../docs/slash-commands.md");

fn row(row: &CommandRow) -> String {
    let typed = format!("{} {}", row.name, row.arguments).trim_end().replace('|', "\\|");
    let cell = |is: bool| if is { " yes " } else { " " };
    format!("| `{typed}` | {} |{}|{}|", row.about, cell(row.anytime), cell(!row.on_screen))
}

/// The name of a group as a heading.
fn heading(group: &str) -> String {
    let mut letters = group.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[test]
fn the_page_lists_every_command() {
    let (begin, _) = PAGE.split_once("\n## ").unwrap_or((PAGE, ""));
    let (mut page, mut group) = (begin.to_owned(), "");
    for one in rows() {
        if one.group != group {
            group = one.group;
            let heading = heading(group);
            write!(page, "\n## {heading}\n\n| command | what it does | while a turn runs | everywhere |\n|---|---|---|---|\n")
                .unwrap();
        }
        writeln!(page, "{}", row(&one)).unwrap();
    }
    expect_test::expect_file!["../../../../docs/slash-commands.md"].assert_eq(&page);
}
