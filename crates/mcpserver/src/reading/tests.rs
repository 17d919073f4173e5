//! Pages of a text.

use super::{PAGE, page};

#[test]
fn the_pages_of_a_text_give_all_of_it_and_never_split_a_character() {
    let text = "ä".repeat(PAGE) + "x";
    let (mut offset, mut read) = (0, String::new());
    loop {
        let shown = page(&text, offset).unwrap();
        match shown.rsplit_once("\n[bytes ") {
            Some((part, note)) => {
                read.push_str(part);
                let next = note.rsplit_once("next offset=").unwrap().1.trim_end_matches(']');
                offset = next.parse().unwrap();
            }
            None => {
                read.push_str(&shown);
                break;
            }
        }
    }
    assert_eq!(read, text);
}

#[test]
fn an_offset_behind_the_end_is_refused() {
    assert!(page("abc", 4).unwrap_err().to_string().contains("the text has 3 bytes"));
    assert_eq!(page("abc", 3).unwrap(), "");
}
