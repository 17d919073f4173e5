//! Answers as the model reads them.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_conversation::Seq;

use crate::{Cell, PageSize, QueryAnswer};

fn text(text: &str) -> Cell {
    Cell::Text { text: text.to_owned(), chars: text.chars().count() }
}

fn answer<const N: usize>(columns: [&str; N], rows: Vec<[Cell; N]>) -> QueryAnswer {
    QueryAnswer {
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.into_iter().map(Vec::from).collect(),
        ..QueryAnswer::default()
    }
}

fn check(answer: &QueryAnswer, bytes: usize, complete: bool, expected: &Expect) {
    let page = answer.page(PageSize { bytes });
    expected.assert_eq(&page.text);
    assert_eq!(page.complete, complete);
}

#[test]
fn a_lone_value_is_shown_verbatim() {
    for exact in ["  two\n\tlines\r\n", "<<END", "a | b", "NULL", "\u{0}\u{feff}é", "[characters"] {
        let page = answer(["content"], vec![[text(exact)]]).page(PageSize::default());
        assert_eq!((page.text.as_str(), page.complete), (exact, true));
    }
    check(&answer(["content"], vec![[text("")]]), 99, true, &expect!["(empty text)"]);
    check(&answer(["max(x)"], vec![[Cell::Null]]), 99, true, &expect!["NULL"]);
    check(&answer(["n"], vec![[Cell::Real(0.1 + 0.2)]]), 99, true, &expect!["0.3"]);
    check(&answer(["n"], vec![]), 99, true, &expect!["no rows"]);
}

#[test]
fn a_long_value_says_how_to_continue() {
    let long = "é".repeat(60);
    check(
        &answer(["content"], vec![[text(&long)]]),
        41,
        false,
        &expect![[r#"
            éééééééééééééééééééé
            [characters 1–20 of 60; continue with substr(content, 21, 20)]"#]],
    );
    check(
        &answer(["substr(content, 21, 500)"], vec![[text(&long)]]),
        10,
        false,
        &expect![[r#"
            ééééé
            [characters 1–5 of 60; continue with substr(content, 26, 5)]"#]],
    );
    check(
        &answer(["a || b"], vec![[Cell::Text { text: "abc".to_owned(), chars: 1_234_567 }]]),
        99,
        false,
        &expect![[r#"
            abc
            [characters 1–3 of 1,234,567; continue with substr(…, 4, 3)]"#]],
    );
}

#[test]
fn short_values_make_a_table() {
    let rows = vec![
        [Cell::Integer(10_000), text("user"), Cell::Null],
        [Cell::Integer(20_001), text(""), Cell::Real(2.0)],
        [Cell::Integer(-1), text("a b"), Cell::Blob { bytes: 3 }],
    ];
    check(
        &answer(["id", "role", "x\ny"], rows.clone()),
        999,
        true,
        &expect![[r#"
            id | role | x y
            10000 | user | NULL
            20001 | '' | 2.0
            -1 | a b | (blob of 3 bytes; use hex() or CAST(… AS TEXT))"#]],
    );
    check(
        &QueryAnswer { more: true, unread: Some(Seq(9)), ..answer(["id", "role", "n"], rows.clone()) },
        50,
        false,
        &expect![[r#"
            id | role | n
            10000 | user | NULL
            20001 | '' | 2.0
            [rows 1–2 of 3 or more fit the page; select less, shorten texts with substr(content, 1, 200), or continue with LIMIT 2 OFFSET 2]
            [the log is damaged: rows up to seq 9 may be missing]"#]],
    );
    check(
        &QueryAnswer { more: true, ..answer(["id", "role", "n"], rows) },
        999,
        false,
        &expect![[r#"
            id | role | n
            10000 | user | NULL
            20001 | '' | 2.0
            -1 | a b | (blob of 3 bytes; use hex() or CAST(… AS TEXT))
            [3 rows, and there are more; narrow the query with WHERE, or continue with LIMIT 3 OFFSET 3]"#]],
    );
}

#[test]
fn texts_of_several_lines_make_blocks() {
    check(
        &answer(
            ["id", "content"],
            vec![
                [Cell::Integer(10_000), text("fn main() {\n    run();\n}\n")],
                [Cell::Integer(20_000), text("END\nis a line of it")],
                [Cell::Integer(30_000), text("one line | with a bar")],
                [Cell::Integer(40_000), text("")],
            ],
        ),
        999,
        true,
        &expect![[r#"
            -- row 1
            id: 10000
            content: <<END
            fn main() {
                run();
            }

            END
            -- row 2
            id: 20000
            content: <<END_
            END
            is a line of it
            END_
            -- row 3
            id: 30000
            content: one line | with a bar
            -- row 4
            id: 40000
            content: ''"#]],
    );
}

#[test]
fn a_long_text_next_to_others_is_cut_and_names_the_query_for_the_rest() {
    let long = "x".repeat(4_100);
    let rows = vec![[Cell::Integer(70_002), text(&long)], [Cell::Integer(80_000), text(&long)]];
    let page = answer(["id", "content"], rows.clone()).page(PageSize { bytes: 10_000 });
    let kept = "x".repeat(4_000);
    expect![[r#"
        -- row 1
        id: 70002
        content: (4,000)
        [characters 1–4,000 of 4,100; continue with SELECT substr(content, 4001, 4000) FROM messages WHERE id = 70002]
        -- row 2
        id: 80000
        content: (4,000)
        [characters 1–4,000 of 4,100; continue with SELECT substr(content, 4001, 4000) FROM messages WHERE id = 80000]"#]]
    .assert_eq(&page.text.replace(&kept, "(4,000)"));
    assert!(!page.complete);
    check(
        &answer(["id", "content"], rows),
        30,
        false,
        &expect![[r#"
            -- row 1
            id: 70002
            content: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            [characters 1–30 of 4,100; continue with SELECT substr(content, 31, 30) FROM messages WHERE id = 70002]
            [rows 1–1 of 2 fit the page; select less, shorten texts with substr(content, 1, 200), or continue with LIMIT 1 OFFSET 1]"#]],
    );
}

fn any_cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        Just(Cell::Null),
        any::<i64>().prop_map(Cell::Integer),
        any::<f64>().prop_map(Cell::Real),
        (0_usize..1_000).prop_map(|bytes| Cell::Blob { bytes }),
        ("[a\n|é ]{0,400}", 0_usize..9).prop_map(|(text, more)| {
            let chars = text.chars().count() + more;
            Cell::Text { text, chars }
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A page is bounded whatever the answer, and says so when something is missing.
    #[test]
    fn pages_are_bounded(
        rows in proptest::collection::vec(proptest::collection::vec(any_cell(), 3), 0..20),
        bytes in 1_usize..600,
        more in any::<bool>(),
    ) {
        let columns = ["id", "content", "a b"].map(str::to_owned).to_vec();
        let answer = QueryAnswer { columns, rows, more, unread: None };
        let page = answer.page(PageSize { bytes });
        prop_assert!(page.text.len() <= bytes + 1_500, "{}", page.text.len());
        let cut = answer.rows.iter().flatten().any(|cell| {
            matches!(cell, Cell::Text { text, chars } if text.chars().count() < *chars)
        });
        prop_assert!(!page.complete || (!more && !cut));
        prop_assert!(page.complete || page.text.contains('['));
    }
}
