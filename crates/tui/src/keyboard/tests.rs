//! Tests of key decoding.

use std::collections::BTreeMap;

use super::*;

fn pressed(letter: char, modifiers: KeyModifiers) -> KeyCode {
    latin_key(KeyEvent::new(KeyCode::Char(letter), modifiers)).code
}

#[test]
fn a_control_letter_is_the_key_at_its_place() {
    for (letter, key) in [('с', 'c'), ('С', 'c'), ('я', 'z'), ('ц', 'w'), ('ψ', 'c'), ('ב', 'c'), ('ㅊ', 'c')]
    {
        assert_eq!(pressed(letter, KeyModifiers::CONTROL), KeyCode::Char(key), "{letter}");
        assert_eq!(pressed(letter, KeyModifiers::ALT | KeyModifiers::SHIFT), KeyCode::Char(key));
    }
}

#[test]
fn other_letters_are_what_they_are() {
    for (letter, modifiers) in [
        ('с', KeyModifiers::NONE),
        ('с', KeyModifiers::SHIFT),
        ('с', KeyModifiers::CONTROL | KeyModifiers::ALT),
        ('c', KeyModifiers::CONTROL),
        ('.', KeyModifiers::CONTROL),
        ('日', KeyModifiers::CONTROL),
    ] {
        assert_eq!(pressed(letter, modifiers), KeyCode::Char(letter), "{letter} {modifiers:?}");
    }
}

#[test]
fn a_layout_has_all_keys_and_no_letter_has_two() {
    let mut places = BTreeMap::new();
    for (name, letters) in layouts() {
        assert_eq!(letters.chars().count(), KEYS.len(), "{name}");
        for (letter, key) in letters.chars().zip(KEYS.chars()).filter(|(letter, _)| *letter != '.') {
            assert_eq!(*places.entry(letter).or_insert(key), key, "{letter} of {name}");
        }
    }
}
