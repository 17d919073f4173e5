//! Checks with the tokenizer that no tag with too many attributes remains.

use std::cell::Cell;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
use proptest::{collection, sample};

use super::*;

/// The most attributes of a tag that the tokenizer finds.
#[derive(Default)]
struct Most(Cell<usize>);

impl TokenSink for Most {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token {
            self.0.set(self.0.get().max(tag.attrs.len()));
            return super::super::raw(&tag.name);
        }
        TokenSinkResult::Continue
    }
}

fn most_of(page: &str) -> usize {
    let tokenizer = Tokenizer::new(Most::default(), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(page));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0.get()
}

/// A tag with this many attributes, written in every way.
fn tag(begin: &str, count: usize) -> String {
    let attribute = |at: usize| match at % 6 {
        0 => format!(" a{at}"),
        1 => format!("/a{at}"),
        2 => format!("\n<a{at}=\"x > y\""),
        3 => format!("a{at} = 'it is \"so\"'"),
        4 => format!(" a{at}=x/y"),
        _ => format!("\t=a{at}"),
    };
    format!("{begin}{}>", (0..count).map(attribute).collect::<String>())
}

#[test]
fn a_tag_with_one_attribute_too_many_becomes_text() {
    for begin in ["<a", "</a", "<Table"] {
        let fits = format!("one {} two", tag(begin, 30));
        assert_eq!(most_of(&fits), 30);
        assert!(matches!(bounded(&fits, 30), Cow::Borrowed(page) if page == fits));
        assert_eq!(bounded(&fits, 29), fits.replacen('<', "&lt;", 1));
    }
}

#[test]
fn other_tags_are_unchanged() {
    let page = format!("é<b>{}</b>{}é<i>{}", tag("<a", 20), tag("</p", 8), tag("<u", 21));
    let expected = format!(
        "é<b>{}</b>{}é<i>{}",
        tag("<a", 20).replacen('<', "&lt;", 1),
        tag("</p", 8),
        tag("<u", 21).replacen('<', "&lt;", 1)
    );
    assert_eq!(bounded(&page, 10), expected);
    assert_eq!(bounded(&expected, 10), expected);
}

fn any_page() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "<a",
        "</a",
        "<script>",
        "</script",
        "<title>",
        "</title",
        "<!--",
        "-->",
        "<!",
        "<?",
        "<",
        ">",
        "/",
        "=",
        "\"",
        "'",
        " ",
        "\n",
        "\r",
        "\u{c}",
        "&quot;",
        "é",
        "a1",
        "a2",
        "a3",
        "a4",
        "a5",
        "a6",
        " b1 b2 b3",
        " c=d",
    ];
    collection::vec(sample::select(PIECES), 0..120).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_tag_with_more_remains(page in any_page(), most in 0_u32..6) {
        let left = bounded(&page, most);
        prop_assert!(most_of(&left) <= most as usize, "{:?}", left);
        // Nothing else is changed.
        prop_assert_eq!(left.replace("&lt;", "<"), page);
    }
}
