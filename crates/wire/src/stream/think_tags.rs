//! Thinking that a server leaves in the text of its model, between the tags of the model's template.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Splits a text that begins with thinking in tags, in whatever pieces it comes.
#[derive(Debug, Default)]
pub(crate) struct ThinkTags {
    place: Place,
    /// The end of what came, which may be the begin of a tag.
    held: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing but white space came, or the begin of the opening tag.
    #[default]
    Start,
    Thinking,
    /// Behind the closing tag and white space.
    Closed,
    Text,
}

impl ThinkTags {
    /// The pieces that are clear now, each with whether it is thinking.
    pub(crate) fn push(&mut self, more: &str) -> Vec<(bool, String)> {
        if self.place == Place::Text {
            return vec![(false, more.to_owned())];
        }
        self.held.push_str(more);
        let mut pieces = Vec::new();
        if self.place == Place::Start {
            let begin = self.held.trim_start();
            match begin.strip_prefix(OPEN) {
                Some(rest) => (self.place, self.held) = (Place::Thinking, rest.trim_start().to_owned()),
                None if OPEN.starts_with(begin) => return pieces,
                None => self.place = Place::Text,
            }
        }
        if self.place == Place::Thinking {
            match self.held.split_once(CLOSE) {
                Some((thinking, rest)) => {
                    pieces.push((true, thinking.trim_end().to_owned()));
                    (self.place, self.held) = (Place::Closed, rest.to_owned());
                }
                None => {
                    let rest = self.held.split_off(self.held.len() - open_tag_bytes(&self.held));
                    pieces.push((true, std::mem::replace(&mut self.held, rest)));
                }
            }
        }
        if self.place == Place::Closed {
            self.held = self.held.trim_start().to_owned();
            if !self.held.is_empty() {
                self.place = Place::Text;
            }
        }
        if self.place == Place::Text {
            pieces.push((false, std::mem::take(&mut self.held)));
        }
        pieces
    }

    /// What was not clear until the end.
    pub(crate) fn finish(&mut self) -> (bool, String) {
        (self.place == Place::Thinking, std::mem::take(&mut self.held))
    }
}

/// Bytes at the end that may be the begin of the closing tag.
fn open_tag_bytes(text: &str) -> usize {
    let begins = |length: &usize| CLOSE.get(..*length).is_some_and(|begin| text.ends_with(begin));
    (1..CLOSE.len()).rev().find(begins).unwrap_or(0)
}

#[cfg(test)]
mod tests;
