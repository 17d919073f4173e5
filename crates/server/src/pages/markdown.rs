//! What a model has said, as it meant it to look: Markdown. Nothing of it is read as HTML.

use maud::{Markup, PreEscaped, html};
use pulldown_cmark::html::push_html;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Where a link may lead.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// The text of an answer.
pub(super) fn markdown(text: &str) -> Markup {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut links = Links::default();
    let mut html = String::new();
    push_html(&mut html, Parser::new_ext(text, options).map(|event| links.shown(event)));
    html! { div.markdown dir="auto" { (PreEscaped(html)) } }
}

/// What ends the links around the place that is read, the innermost last.
#[derive(Debug, Default)]
struct Links(Vec<String>);

impl Links {
    /// An event in the form that a page shows. A heading is a line of its own and none of the page's; a picture is its address, so
    /// that a page loads nothing from elsewhere.
    fn shown<'t>(&mut self, event: Event<'t>) -> Event<'t> {
        let ours = |markup: &'static str| Event::Html(markup.into());
        match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::SoftBreak => Event::HardBreak,
            Event::TaskListMarker(done) => Event::Text(if done { "☑ " } else { "☐ " }.into()),
            Event::Start(Tag::Heading { .. }) => ours("<p class=\"strong\">"),
            Event::End(TagEnd::Heading(_)) => ours("</p>\n"),
            Event::Start(Tag::HtmlBlock) => ours("<p>"),
            Event::End(TagEnd::HtmlBlock) => ours("</p>\n"),
            Event::Start(Tag::CodeBlock(_)) => ours("<pre class=\"code\" tabindex=\"0\">"),
            Event::End(TagEnd::CodeBlock) => ours("</pre>\n"),
            // Without the alignment, which would be a style of its own.
            Event::Start(Tag::Table(_)) => ours("<div class=\"scrolled\" tabindex=\"0\"><table>"),
            Event::End(TagEnd::Table) => ours("</tbody></table></div>\n"),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => self.begin(&dest_url),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                Event::InlineHtml(self.0.pop().unwrap_or_default().into())
            }
            other => other,
        }
    }

    /// A link that a reader can follow, or the words of one and where it leads, such as a file of the project.
    fn begin<'t>(&mut self, address: &str) -> Event<'t> {
        let escaped = html! { (address) }.into_string();
        let (begin, end) = match SCHEMES.iter().any(|scheme| address.starts_with(scheme)) {
            true => {
                (format!("<a href=\"{escaped}\" rel=\"noopener noreferrer nofollow\">"), "</a>".to_owned())
            }
            false => ("<span>".to_owned(), format!("</span> <code>{escaped}</code>")),
        };
        self.0.push(end);
        Event::InlineHtml(begin.into())
    }
}

#[cfg(test)]
mod tests;
