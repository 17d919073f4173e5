//! Which pictures leave the view.

use expect_test::{Expect, expect};
use throughline_conversation::{ContentBlock, Image, Seq, View};
use throughline_testkit::{WordCounter, view};

use super::*;

/// A talk in which messages of these records have this many pictures: the user's own, or those of their first result.
fn talk(pictures: &[(u64, usize)]) -> View {
    let notation = "
        user: look
        assistant:
          -> c1 shot {}
        results:
          c1 = one
        assistant:
          -> c2 shot {}
        results:
          c2 = two
        assistant: I see
        user: and here
        assistant:
          -> c3 shot {}
          -> c4 read {}
        results:
          c3 = three
          c4 = text
    ";
    let mut entries = view(notation).entries().to_vec();
    for (seq, count) in pictures {
        let entry = entries.iter_mut().find(|entry| entry.span.first == Seq(*seq)).expect("a record");
        let image = || Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
        let mut message = entry.message.as_ref().clone();
        match message.content.first_mut() {
            Some(ContentBlock::ToolResult(result)) => result.images = (0..*count).map(|_| image()).collect(),
            _ => message.content.extend((0..*count).map(|_| ContentBlock::Image(image()))),
        }
        entry.message = message.into();
    }
    View::from_entries(entries, 0, Seq(9))
}

/// Leaves pictures out until there are none, and shows each time which messages have how many.
fn check(pictures: &[(u64, usize)], fault: PictureFault, after: &Expect) {
    let mut view = talk(pictures);
    let mut leaving = String::new();
    while let Some(PicturesLeave { edit, pictures }) = without_pictures(&view, fault) {
        view = view.edited(&edit, &WordCounter).expect("an edit that fits");
        assert_eq!(view.violations(), []);
        let have = |entry: &throughline_conversation::Entry| {
            let count = entry.message.pictures().count();
            (count > 0).then(|| format!(" {count} in {}", entry.span.first))
        };
        let left: String = view.entries().iter().filter_map(have).collect();
        leaving.push_str(&format!("{pictures} leave, left:{left}\n"));
    }
    after.assert_eq(&leaving);
}

#[test]
fn of_too_many_the_oldest_leave() {
    let many = [(1, 1), (3, 2), (5, 1), (7, 1), (9, 2)];
    check(
        &many,
        PictureFault::TooMuch,
        &expect![[r#"
            3 leave, left: 1 in 5 1 in 7 2 in 9
            4 leave, left:
        "#]],
    );
    // The newest stay together as long as they fit; then they leave, too.
    check(
        &[(3, 1), (9, 7)],
        PictureFault::TooMuch,
        &expect![[r#"
            1 leave, left: 7 in 9
            7 leave, left:
        "#]],
    );
    check(
        &[(3, 1)],
        PictureFault::TooMuch,
        &expect![[r#"
            1 leave, left:
        "#]],
    );
    check(&[], PictureFault::TooMuch, &expect![""]);
}

#[test]
fn of_those_of_which_one_is_not_taken_the_new_ones_leave_first() {
    let many = [(1, 1), (3, 2), (7, 1), (9, 2)];
    check(
        &many,
        PictureFault::NotTaken,
        &expect![[r#"
            2 leave, left: 1 in 1 2 in 3 1 in 7
            4 leave, left:
        "#]],
    );
    check(
        &[(1, 1), (3, 2)],
        PictureFault::NotTaken,
        &expect![[r#"
            3 leave, left:
        "#]],
    );
}

#[test]
fn a_note_says_what_became_of_a_picture() {
    for (fault, says) in [
        (PictureFault::TooMuch, "three\\n[What was shown here as a picture is left out: with it the request"),
        (
            PictureFault::NotTaken,
            "three\\n[What was shown here as a picture is left out: the provider did not",
        ),
    ] {
        let view = talk(&[(9, 2)]);
        let leave = without_pictures(&view, fault).expect("there are some");
        assert_eq!(leave.edit.reason, EditReason::Pictures);
        let view = view.edited(&leave.edit, &WordCounter).expect("an edit that fits");
        let shown = throughline_testkit::render_view(&view);
        assert!(shown.contains(says), "{shown}");
    }
}

#[test]
fn a_picture_in_the_last_words_of_the_model_itself_is_not_new() {
    check(
        &[(8, 1), (9, 2)],
        PictureFault::NotTaken,
        &expect![[r#"
            2 leave, left: 1 in 8
            1 leave, left:
        "#]],
    );
}

#[test]
fn four_pictures_stay_and_a_fifth_leaves() {
    check(
        &[(1, 1), (3, 3), (9, 1)],
        PictureFault::TooMuch,
        &expect![[r#"
            1 leave, left: 3 in 3 1 in 9
            4 leave, left:
        "#]],
    );
}
