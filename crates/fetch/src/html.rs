//! HTML as Markdown: what a reader sees, without what only a browser needs.
//!
//! The page is read token by token and never becomes a tree: a page of half a million nested elements, which would
//! exhaust the stack of whoever walks its tree, is only half a million tokens.

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

/// The text of a page that came from there.
pub(crate) fn markdown(page: &str, from: &Url) -> String {
    let sink = Sink { writer: RefCell::new(Writer::new()), from: from.clone() };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(&*attributes::bounded(page, attributes::MOST)));
    // It stops for scripts to be run, and here are none.
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

/// Elements whose content is no markup.
fn raw(name: &str) -> TokenSinkResult<()> {
    match name {
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        _ => TokenSinkResult::Continue,
    }
}

/// Elements that a reader does not see, or that lead elsewhere.
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

/// Elements with an empty line before and behind them.
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

/// Elements that begin a line.
fn line(name: &str) -> bool {
    matches!(
        name,
        "div" | "tr" | "dt" | "dd" | "br" | "summary" | "figcaption" | "caption" | "legend" | "body"
    )
}

fn start(writer: &mut Writer, tag: &Tag, from: &Url) {
    let name: &str = &tag.name;
    if hidden(name) {
        // SVG alone has elements that end where they begin.
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

/// Where a link leads, if that is another page.
fn address(href: &str, from: &Url) -> Option<String> {
    /// Longer ones carry data, and say nothing to a reader.
    const MOST: usize = 300;
    if href.starts_with('#') || href.len() > MOST {
        return None;
    }
    let url = from.join(href).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.as_str().len() <= MOST).then(|| url.into())
}

#[cfg(test)]
mod tests;
