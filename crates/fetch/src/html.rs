//! Converts HTML to Markdown: the visible text, without scripts, styles and navigation.
//!
//! The page is processed token by token, never as a tree: half a million nested elements would exhaust the stack of a tree
//! walk, but are only half a million tokens.

use std::cell::RefCell;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use reqwest::Url;

use self::writer::Writer;

mod attributes;
mod writer;

/// The text of the page at this URL.
pub(crate) fn markdown(page: &str, from: &Url) -> String {
    let sink = Sink { writer: RefCell::new(Writer::new()), from: from.clone() };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(&*attributes::bounded(page, attributes::MAX_ATTRIBUTES)));
    // The tokenizer stops at each script so that it can run; here it does not.
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.writer.into_inner().finish()
}

struct Sink {
    writer: RefCell<Writer>,
    from: Url,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut writer = self.writer.borrow_mut();
        match token {
            Token::CharacterTokens(text) => writer.text(&text),
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                start(&mut writer, &tag, &self.from);
                return raw(&tag.name);
            }
            Token::TagToken(tag) => end(&mut writer, &tag.name),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// The tokenizer state for elements whose content is not markup.
fn raw(name: &str) -> TokenSinkResult<()> {
    match name {
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        _ => TokenSinkResult::Continue,
    }
}

/// Elements that are invisible, or that are navigation and controls.
fn hidden(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "template"
            | "svg"
            | "math"
            | "iframe"
            | "noembed"
            | "noframes"
            | "noscript"
            | "canvas"
            | "object"
            | "nav"
            | "select"
            | "button"
            | "textarea"
            | "dialog"
    )
}

/// The level of a heading.
fn heading(name: &str) -> Option<usize> {
    match name {
        "h1" | "title" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        "h5" => Some(5),
        "h6" => Some(6),
        _ => None,
    }
}

/// Elements with an empty line before and after them.
fn paragraph(name: &str) -> bool {
    matches!(
        name,
        "p" | "section"
            | "article"
            | "main"
            | "header"
            | "footer"
            | "aside"
            | "figure"
            | "form"
            | "dl"
            | "table"
            | "details"
            | "address"
            | "hr"
            | "fieldset"
            | "blockquote"
    )
}

/// Elements that start a line.
fn line(name: &str) -> bool {
    matches!(
        name,
        "div" | "tr" | "dt" | "dd" | "br" | "summary" | "figcaption" | "caption" | "legend" | "body"
    )
}

fn start(writer: &mut Writer, tag: &Tag, from: &Url) {
    let name: &str = &tag.name;
    if hidden(name) {
        // Only SVG has self-closing elements.
        if !tag.self_closing {
            writer.hide(name);
        }
        return;
    }
    let attribute = |wanted: &str| {
        tag.attrs
            .iter()
            .find(|attribute| &*attribute.name.local == wanted)
            .map(|attribute| attribute.value.to_string())
    };
    match name {
        "pre" => writer.begin_code(),
        "code" | "kbd" | "samp" => writer.tick(),
        "ul" | "menu" => writer.begin_list(None),
        "ol" => writer.begin_list(Some(attribute("start").and_then(|start| start.parse().ok()).unwrap_or(1))),
        "li" => writer.item(),
        "td" | "th" => writer.cell(),
        "a" => writer.begin_link(attribute("href").and_then(|href| address(&href, from))),
        "img" => {
            if let Some(alt) = attribute("alt").filter(|alt| !alt.trim().is_empty()) {
                writer.text(&format!("![{}]", alt.trim()));
            }
        }
        _ => {}
    }
    if let Some(level) = heading(name) {
        writer.paragraph();
        writer.prefix(&format!("{} ", "#".repeat(level)));
    } else if paragraph(name) {
        writer.paragraph();
        if name == "blockquote" {
            writer.prefix("> ");
        }
    } else if line(name) {
        writer.line();
    }
}

fn end(writer: &mut Writer, name: &str) {
    match name {
        _ if hidden(name) => writer.show(name),
        "pre" => writer.end_code(),
        "code" | "kbd" | "samp" => writer.tick(),
        "ul" | "ol" | "menu" => writer.end_list(),
        "a" => writer.end_link(),
        _ if heading(name).is_some() || paragraph(name) => writer.paragraph(),
        _ if line(name) || name == "li" => writer.line(),
        _ => {}
    }
}

/// The URL of a link to another page.
fn address(href: &str, from: &Url) -> Option<String> {
    /// Longer URLs contain data and mean nothing to a reader.
    const MAX_URL_BYTES: usize = 300;
    if href.starts_with('#') || href.len() > MAX_URL_BYTES {
        return None;
    }
    let url = from.join(href).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.as_str().len() <= MAX_URL_BYTES).then(|| url.into())
}

#[cfg(test)]
mod tests;
