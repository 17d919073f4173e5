//! What a page shows of an answer.

use super::markdown;

#[track_caller]
fn check(text: &str, expected: &str) {
    let html = markdown(text).into_string();
    let inner = html
        .strip_prefix("<div class=\"markdown\" dir=\"auto\">")
        .and_then(|html| html.strip_suffix("</div>"));
    assert_eq!(inner.map(str::trim_end), Some(expected));
}

#[test]
fn blocks_are_elements() {
    check("# A *b*\ntext\nmore", "<p class=\"strong\">A <em>b</em></p>\n<p>text<br />\nmore</p>");
    check("- [x] one\n- [ ] two", "<ul>\n<li>☑ one</li>\n<li>☐ two</li>\n</ul>");
    check("3. c\n4. d", "<ol start=\"3\">\n<li>c</li>\n<li>d</li>\n</ol>");
    check(
        "```rust\nlet a = \"<b>\";\n```",
        "<pre class=\"code\" tabindex=\"0\">let a = \"&lt;b&gt;\";\n</pre>",
    );
    check("```\nopen", "<pre class=\"code\" tabindex=\"0\">open</pre>");
    check(
        "| a | b |\n|--:|---|\n| 1 | `x` |",
        "<div class=\"scrolled\" tabindex=\"0\"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>\n<tr><td>1</td><td><code>x</code></td></tr>\n</tbody></table></div>",
    );
    check("", "");
}

#[test]
fn html_is_text() {
    check("a <b onclick=x> & </b>", "<p>a &lt;b onclick=x&gt; &amp; &lt;/b&gt;</p>");
    check("<script>\nalert(1)\n</script>", "<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>");
    check("`<i>`", "<p><code>&lt;i&gt;</code></p>");
}

#[test]
fn a_link_leads_to_the_web_or_is_named() {
    check(
        "[x](https://a.b/?c=\"d\"&e)",
        "<p><a href=\"https://a.b/?c=&quot;d&quot;&amp;e\" rel=\"noopener noreferrer nofollow\">x</a></p>",
    );
    check("[x](src/a.rs:10)", "<p><span>x</span> <code>src/a.rs:10</code></p>");
    for scheme in ["javascript", "JavaScript", "data", "vbscript"] {
        let html = markdown(&format!("[x]({scheme}:alert) <{scheme}:alert>")).into_string();
        assert!(!html.contains("href"), "{html}");
    }
    check(
        "![a](https://a.b/c.png)",
        "<p><a href=\"https://a.b/c.png\" rel=\"noopener noreferrer nofollow\">a</a></p>",
    );
    check("[![a](b.png)](c.md)", "<p><span><span>a</span> <code>b.png</code></span> <code>c.md</code></p>");
}
