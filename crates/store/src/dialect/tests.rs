//! Marks of values and vectors of words.

use expect_test::expect;

use super::*;

#[test]
fn marks_get_numbers() {
    expect!["SELECT $1, $2 WHERE a = $3"].assert_eq(&numbered("SELECT ?, ? WHERE a = ?"));
    expect!["SELECT $1, $2 WHERE a = $1"].assert_eq(&numbered("SELECT ?1, ?2 WHERE a = ?1"));
    expect!["($1,$2),($3,$4)"].assert_eq(&numbered("(?,?),(?,?)"));
    expect!["$1 IS NULL"].assert_eq(&numbered("$1 IS NULL"));
}

#[test]
fn a_vector_has_the_places_and_weights_of_words() {
    let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<String>>();
    expect!["'parser':1 'comma':2 'parser':3 'fix':4A "]
        .assert_eq(&vector(&texts(&["parser", "comma", "parser"]), &texts(&["fix"])));
    expect![[r"'a''b':1 'c\\':2 "]].assert_eq(&vector(&texts(&["a'b", "c\\"]), &[]));
}
