//! A text within a limit.

use expect_test::{Expect, expect};
use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};

use super::{LEAST_CHARS, within};

fn numbered(lines: usize) -> String {
    (1..=lines).map(|line| format!("line {line} of the file\n")).collect()
}

fn check(text: &str, most: usize, after: &Expect) {
    let (shown, cut) = within(text, 0, most, "read_file shows it").unwrap();
    assert!(shown.chars().count() <= most);
    let around = shown.lines().skip_while(|line| !line.starts_with('[')).take(3);
    after.assert_eq(&format!("cut: {cut}\n{}", around.collect::<Vec<_>>().join("\n")));
}

#[test]
fn a_long_text_is_cut_between_lines_and_says_where() {
    check(&numbered(10), 1_000, &expect!["cut: false\n"]);
    check(
        &numbered(100),
        1_000,
        &expect![[r#"
            cut: true
            [From line 35 on, 1,140 characters are left out here; read_file shows it.]

            line 92 of the file"#]],
    );
}

#[test]
fn a_line_without_end_is_cut_in_the_middle() {
    let (shown, cut) = within(&"x".repeat(10_000), 0, 1_000, "read_file shows it").unwrap();
    assert!(cut && shown.contains("[From line 1 on, "), "{shown}");
}

#[test]
fn what_was_not_read_counts() {
    let (shown, cut) = within("short\ntext\n", 5_000_000, 1_000, "read_file shows it").unwrap();
    assert!(cut && shown.contains("about 5,000,0"), "{shown}");
}

#[test]
fn too_little_room_gives_nothing() {
    assert_eq!(within(&numbered(100), 0, LEAST_CHARS, "read_file shows it"), None);
    assert_eq!(within(&numbered(100), 0, 0, "read_file shows it"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn it_is_never_longer_than_the_limit(text in "[a-zé\u{1f980} \n]{0,3000}", most in 0..3_000_usize, hidden in any::<u32>()) {
        if let Some((shown, cut)) = within(&text, u64::from(hidden), most, "read_file shows it") {
            prop_assert!(shown.chars().count() <= most);
            prop_assert!(cut || shown == text);
        }
    }
}
