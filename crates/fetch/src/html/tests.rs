//! Tests of the conversion to Markdown.

use expect_test::{Expect, expect};
use proptest::prelude::{prop, proptest};
use reqwest::Url;

use super::markdown;

fn shown(page: &str) -> String {
    markdown(page, &Url::parse("https://example.org/docs/a.html").unwrap())
}

#[expect(clippy::needless_pass_by_value, reason = "an expectation is written where it is used")]
fn check(page: &str, expected: Expect) {
    expected.assert_eq(&format!("{}\n", shown(page)));
}

#[test]
fn a_page_becomes_its_visible_text() {
    check(
        r##"<!DOCTYPE html><html><head><title>The  page &amp; more</title><style>p{}</style>
        <script>if (a < b) { document.write("<p>no</p>") }</script></head><body>
        <nav><a href="/">Home</a></nav>
        <h2 id=x>First <em>things</em></h2>
        <p>Some <b>bold</b>
           text with <code>let x = 1;</code>, a <a href="b.html?q=1">link</a>, <a href="#x">a place</a>
           and <a href="javascript:go()">a trap</a>.<br>Next line.</p><!-- hidden -->
        <ul><li>one<li>two<ol start=3><li>three</li><li><p>four</p></li></ol></li></ul>
        <pre><code>fn main() {
    go();
}
</code></pre>
        <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
        <blockquote>said</blockquote><img src=x alt="a cat"><img src=y>
        <p>&lt;end&gt; &#8212; caf&eacute;</body></html>"##,
        expect![[r#"
            # The page & more

            ## First things

            Some bold text with `let x = 1;`, a [link](https://example.org/docs/b.html?q=1), a place and a trap.
            Next line.

            - one
            - two
              3. three
              4. four

            ```
            fn main() {
                go();
            }
            ```

            a | b
            1 | 2

            > said

            ![a cat]

            <end> — café
        "#]],
    );
}

#[test]
fn broken_and_hostile_pages_are_converted() {
    assert_eq!(shown(""), "");
    assert_eq!(shown("plain"), "plain");
    assert_eq!(shown("<p>a<p>b</div></ul></a></code>c"), "a\n\nb\n`c");
    assert_eq!(shown("<pre>open\n <b>x</b>"), "```\nopen\n x\n```");
    assert_eq!(shown("<script>never closed <p>a"), "");
    assert_eq!(shown("a<svg><svg></svg>b</svg>c<svg/>d"), "acd");
    assert_eq!(shown("<li></li><h1></h1><a href=x></a>text"), "text");
}

#[test]
fn nesting_takes_no_stack_and_links_no_memory() {
    let deep = format!("{}deep", "<div><ul><li>".repeat(30_000));
    assert!(shown(&deep).ends_with("deep"));
    let long = Url::parse(&format!("https://example.org/{}/", "x".repeat(250))).unwrap();
    let links = "<a href=y>a</a>".repeat(30_000);
    assert!(markdown(&links, &long).len() < 3 * 1024 * 1024);
    assert!(!markdown(&format!("<a href={}>a</a>", "x".repeat(400)), &long).contains('('));
}

proptest! {
    #[test]
    fn any_markup_gives_a_text(
        parts in prop::collection::vec("(<[/]?(p|ul|ol|li|pre|a href=x|code|svg|td|script|h1|nav)>|[a-z&;<>/ ü\n]{0,6})", 0..40)
    ) {
        let page = parts.concat();
        let text = shown(&page);
        assert!(text.len() <= 40 * (page.len() + 10));
    }
}

// A tag with nothing but attributes: compared one by one they would be 20,000 million pairs.
#[test]
fn a_tag_with_endless_attributes_takes_no_time() {
    let attributes: String = (0..200_000).map(|at| format!("{at:x} ")).collect();
    for begin in ["<a ", "</a ", "<p>before</p><title></title ", "<!-- --><a b='\">' "] {
        let text = shown(&format!("{begin}{attributes}>behind"));
        assert!(text.ends_with("behind"), "{begin}");
    }
}
