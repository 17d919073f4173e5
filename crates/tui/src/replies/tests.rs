//! The terminal's answer among the keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{KeyOrReply, Replies};

fn keys(text: &str) -> Vec<KeyEvent> {
    let key = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
    text.chars().map(key).collect()
}

fn alt(letter: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(letter), KeyModifiers::ALT)
}

#[test]
fn the_answer_is_taken_out_of_the_keys() {
    let mut replies = Replies::default();
    let mut read = Vec::new();
    let sent = [
        keys("a"),
        vec![alt(']')],
        keys("7501;?:states=idle,working:kinds=permission"),
        vec![alt('\\')],
        keys("b"),
    ];
    for key in sent.concat() {
        match replies.key(key) {
            KeyOrReply::Keys(keys) if keys.is_empty() => {}
            other => read.push(other),
        }
    }
    let reply = KeyOrReply::Reply("7501;?:states=idle,working:kinds=permission".to_owned());
    assert_eq!(read, [KeyOrReply::Keys(keys("a")), reply, KeyOrReply::Keys(keys("b"))]);
}

#[test]
fn keys_that_are_no_answer_come_through() {
    let mut replies = Replies::default();
    let typed = [vec![alt(']')], keys("75x")].concat();
    let mut read = Vec::new();
    for key in &typed {
        if let KeyOrReply::Keys(keys) = replies.key(*key) {
            read.extend(keys);
        }
    }
    assert_eq!(read, typed);
}
