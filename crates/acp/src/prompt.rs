//! A prompt of the protocol as a message of the user.

mod places;

use std::path::Path;

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{ContentBlock as Block, EmbeddedResource, EmbeddedResourceResource};
use throughline_conversation::{ContentBlock, Message};
use throughline_conversation::{Image, Role};
use throughline_tools::check_picture;

use crate::failure::input;
use places::place;

/// What a user writes directly before the name of a resource.
const OPENING: [char; 6] = ['(', '[', '{', '`', '"', '\''];

/// What a user writes directly behind it.
const CLOSING: [char; 12] = [')', ']', '}', '`', '"', '\'', ',', ';', ':', '.', '!', '?'];

/// A prompt that was read.
#[derive(Debug, PartialEq)]
pub(crate) struct Prompt {
    /// What the user wrote, with the names of the resources where they stand.
    pub(crate) text: String,
    /// Texts of embedded resources, each with its name.
    attached: Vec<ContentBlock>,
    images: Vec<Image>,
    /// The text ends with the name of a resource.
    ends_with_name: bool,
}

impl Prompt {
    /// Reads the blocks of a prompt.
    ///
    /// # Errors
    /// The prompt is empty, or a block cannot be sent to a model. The error names it by its number, from 0.
    pub(crate) fn read(blocks: &[Block], workspace: &Path) -> Result<Self, Error> {
        let mut prompt = Self::of_text(String::new());
        for (number, block) in blocks.iter().enumerate() {
            prompt.add(block, workspace).map_err(|why| input(format!("prompt[{number}]: {why}")))?;
        }
        if prompt.text.trim().is_empty() && prompt.images.is_empty() {
            return Err(input("the prompt is empty; send a text, a resource or a picture"));
        }
        Ok(prompt)
    }

    fn add(&mut self, block: &Block, workspace: &Path) -> Result<(), String> {
        match block {
            Block::Text(text) => self.write(&text.text),
            Block::ResourceLink(link) => self.name(&place(&link.uri, workspace)),
            Block::Resource(resource) => self.embed(resource, workspace)?,
            Block::Image(image) => self.picture(&image.mime_type, &image.data)?,
            Block::Audio(_) => return Err("audio cannot be sent to a model; send its text".to_owned()),
            _ => return Err("a block of this type is not known".to_owned()),
        }
        Ok(())
    }

    /// Continues the text with what the user wrote.
    fn write(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.ends_with_name
            && !text.starts_with(|next: char| next.is_whitespace() || CLOSING.contains(&next))
        {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.ends_with_name = false;
    }

    /// Continues the text with the name of a resource, as a word of its own.
    fn name(&mut self, name: &str) {
        let opens = |last: char| last.is_whitespace() || (OPENING.contains(&last) && !self.ends_with_name);
        if !self.text.is_empty() && !self.text.ends_with(opens) {
            self.text.push(' ');
        }
        self.text.push_str(name);
        self.ends_with_name = true;
    }

    fn embed(&mut self, resource: &EmbeddedResource, workspace: &Path) -> Result<(), String> {
        match &resource.resource {
            EmbeddedResourceResource::TextResourceContents(contents) => {
                let name = place(&contents.uri, workspace);
                self.name(&name);
                self.attached.push(ContentBlock::attached_file(&name, &contents.text));
            }
            EmbeddedResourceResource::BlobResourceContents(contents) => {
                let media_type = contents.mime_type.as_deref().unwrap_or("application/octet-stream");
                if !media_type.starts_with("image/") {
                    return Err(format!(
                        "a resource of type {media_type} cannot be sent to a model; send a text, a picture or a link"
                    ));
                }
                self.name(&place(&contents.uri, workspace));
                self.picture(media_type, &contents.blob)?;
            }
            _ => return Err("a resource of this type is not known".to_owned()),
        }
        Ok(())
    }

    fn picture(&mut self, media_type: &str, data: &str) -> Result<(), String> {
        let image = Image { media_type: media_type.to_owned(), data: data.to_owned() };
        let checked = check_picture(&image).map_err(|why| format!("the picture cannot be sent: {why}"))?;
        self.images.push(checked.image);
        Ok(())
    }

    /// A text and nothing else.
    pub(crate) fn of_text(text: String) -> Self {
        Self { text, attached: Vec::new(), images: Vec::new(), ends_with_name: false }
    }

    /// Returns true if it is a text and nothing else.
    pub(crate) fn is_text(&self) -> bool {
        self.attached.is_empty() && self.images.is_empty()
    }

    /// The message: the text, what is attached to it, and the pictures.
    pub(crate) fn message(self) -> Message {
        let mut content = Vec::new();
        if !self.text.trim().is_empty() {
            content.push(ContentBlock::Text { text: self.text });
        }
        content.extend(self.attached);
        content.extend(self.images.into_iter().map(ContentBlock::Image));
        Message { role: Role::User, content }
    }
}

#[cfg(test)]
mod tests;
