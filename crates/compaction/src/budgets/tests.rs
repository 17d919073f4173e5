//! How large the parts of a summary are.

use throughline_testkit::WordCounter;

use super::Budgets;

#[test]
fn a_summary_holds_what_its_lists_need() {
    let text = "[Summary]\n\n## What the user said\n> do it all\n\n## Progress\none two three\n\n\
                ## Files\n- a.rs: read 1×\n\n## Commands\n- cargo test → exit 101\n- ls\n\n\
                ## Errors\n- bash: it failed\n\n## Names\nin one: abcdef\n\n## Reading back\nnone";
    let held = Budgets::held_by(text, &WordCounter);
    // Eight words of commands are three tenths of 27, four words of errors a fifth of 20.
    assert_eq!(held, Budgets { words: 0, progress: 3, ledger: 27, names: 4, given: 0 });
    // Names and values share their budget: four bytes a token, rounded up.
    let both = "[Summary]\n\n## Names\nin one: abcdef\n\n## Values\nport = 8080\n";
    assert_eq!(Budgets::held_by(both, &WordCounter).names, 7);
    let notice = "[Messages left out to fit the window: records 1 to 2. Full text: none]";
    assert_eq!(Budgets::held_by(notice, &WordCounter), Budgets::default());
    assert_eq!(Budgets::held_by("", &WordCounter), Budgets::default());
}

#[test]
fn budgets_are_taken_figure_by_figure() {
    let (one, two) = (
        Budgets { words: 1, progress: 20, ledger: 3, names: 40, given: 0 },
        Budgets { words: 10, progress: 2, ledger: 30, names: 4, given: 0 },
    );
    assert_eq!(one.plus(two), Budgets { words: 11, progress: 22, ledger: 33, names: 44, given: 0 });
    assert_eq!(one.at_most(two), Budgets { words: 1, progress: 2, ledger: 3, names: 4, given: 0 });
    assert_eq!(one.at_least(two), Budgets { words: 10, progress: 20, ledger: 30, names: 40, given: 0 });
}
