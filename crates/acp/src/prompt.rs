//! A prompt of the protocol as a message of the user.

use std::path::{Path, PathBuf};

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{ContentBlock as Block, EmbeddedResource, EmbeddedResourceResource};
use throughline_conversation::{ContentBlock, Message};
use throughline_conversation::{Image, Role};
use throughline_tools::check_picture;
use url::Url;

use crate::failure::input;

/// A prompt that was read.
#[derive(Debug, PartialEq)]
pub(crate) struct Prompt {
    /// What the user wrote, with the names of the resources where they stand.
    pub(crate) text: String,
    /// Texts of embedded resources, each with its name.
    attached: Vec<ContentBlock>,
    images: Vec<Image>,
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
            Block::Text(text) => self.text.push_str(&text.text),
            Block::ResourceLink(link) => self.text.push_str(&place(&link.uri, workspace)),
            Block::Resource(resource) => self.embed(resource, workspace)?,
            Block::Image(image) => self.picture(&image.mime_type, &image.data)?,
            Block::Audio(_) => return Err("audio cannot be sent to a model; send its text".to_owned()),
            _ => return Err("a block of this type is not known".to_owned()),
        }
        Ok(())
    }

    fn embed(&mut self, resource: &EmbeddedResource, workspace: &Path) -> Result<(), String> {
        match &resource.resource {
            EmbeddedResourceResource::TextResourceContents(contents) => {
                let name = place(&contents.uri, workspace);
                self.text.push_str(&name);
                self.attached.push(ContentBlock::attached_file(&name, &contents.text));
            }
            EmbeddedResourceResource::BlobResourceContents(contents) => {
                let media_type = contents.mime_type.as_deref().unwrap_or("application/octet-stream");
                if !media_type.starts_with("image/") {
                    return Err(format!(
                        "a resource of type {media_type} cannot be sent to a model; send a text, a picture or a link"
                    ));
                }
                self.text.push_str(&place(&contents.uri, workspace));
                self.picture(media_type, &contents.blob)?;
            }
            _ => return Err("a resource of this type is not known".to_owned()),
        }
        Ok(())
    }

    fn picture(&mut self, media_type: &str, data: &str) -> Result<(), String> {
        let image = Image { media_type: media_type.to_owned(), data: data.to_owned() };
        self.images.push(check_picture(&image).map_err(|why| format!("the picture cannot be sent: {why}"))?);
        Ok(())
    }

    /// A text and nothing else.
    pub(crate) fn of_text(text: String) -> Self {
        Self { text, attached: Vec::new(), images: Vec::new() }
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

/// A resource as the model names it: a file by its path, from the workspace on if it is inside; anything else by its URI.
fn place(uri: &str, workspace: &Path) -> String {
    let Some(path) = file_path(uri) else { return uri.to_owned() };
    path.strip_prefix(workspace).unwrap_or(&path).display().to_string()
}

/// The path of a `file:` URI. `None`: it is another URI.
fn file_path(uri: &str) -> Option<PathBuf> {
    Url::parse(uri).ok().filter(|url| url.scheme() == "file")?.to_file_path().ok()
}

#[cfg(test)]
mod tests;
