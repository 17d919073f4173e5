//! Where an excerpt begins and ends.

use super::excerpt;

#[test]
fn an_excerpt_begins_and_ends_between_words() {
    assert_eq!(excerpt("The heron\n  stands.", 4), "The heron stands.");
    let long = format!("{}heron {}", "before ".repeat(20), "behind ".repeat(60));
    let part = excerpt(&long, 140);
    assert!(part.starts_with("… before before") && part.ends_with("behind …"), "{part}");
    assert!(part.contains("before heron behind") && part.chars().count() <= 244, "{part}");
}

#[test]
fn a_word_that_is_longer_than_an_excerpt_is_cut() {
    let long = "é".repeat(1_000);
    let part = excerpt(&long, 500);
    assert_eq!(part.chars().filter(|letter| *letter == 'é').count(), 240);
    assert!(part.starts_with("…é") && part.ends_with("é…"), "{part}");
    // What is found is never cut away.
    assert_eq!(excerpt(&format!("{} heron", "é".repeat(200)), 201), "… heron");
}
