//! Rows that promise a number, and pages that are not in order.

use super::{planned, rows};

#[track_caller]
fn check(text: &str, expect: Result<&str, &str>) {
    let page = format!("# Features\n\n| number | what | where |\n|---|---|---|\n{text}\n");
    let found = rows(&page).map(|rows| rows.keys().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    assert_eq!(found.map_err(|error| error.to_string()), expect.map(str::to_owned).map_err(str::to_owned));
}

#[test]
fn rows_are_read_in_order_of_their_numbers() {
    check("| S1-01 | b | `watch` |\n| S0-02 | a | `budget` |", Ok("S0-02 S1-01"));
}

#[test]
fn a_bar_in_a_cell_does_not_end_it() {
    check("| S0-01 | `a \\| b` | `budget` |", Ok("S0-01"));
}

#[test]
fn a_number_that_stands_twice_is_an_error() {
    check("| S0-01 | a | x |\n| S0-01 | b | x |", Err("line 6: S0-01 stands twice"));
}

#[test]
fn an_empty_cell_is_an_error() {
    check("| S0-01 | a | |", Err("line 5: S0-01 needs the form `| number | what | where |`"));
    check("| S0-01 | a |", Err("line 5: S0-01 needs the form `| number | what | where |`"));
}

#[test]
fn a_page_without_numbers_is_an_error() {
    check("", Err("no row with a number in it"));
}

#[test]
fn crates_are_named_in_backticks_and_planned_ones_left_out() {
    let page = "| S0-01 | a | `budget`, `cli` (planned), `agent` |\n| S0-02 | a | every crate |";
    let crates: Vec<_> = rows(page).unwrap().into_values().collect();
    assert_eq!(crates, [vec!["budget".to_owned(), "agent".to_owned()], Vec::new()]);
}

#[test]
fn a_planned_row_says_so_in_its_last_cell() {
    let page =
        "| S0-01 | a planned meal | `budget` |\n| S0-02 | a | *planned* |\n| S0-03 | a | `cli` (planned) |";
    let numbers: Vec<_> = planned(page).iter().map(ToString::to_string).collect();
    assert_eq!(numbers, ["S0-02", "S0-03"]);
}
