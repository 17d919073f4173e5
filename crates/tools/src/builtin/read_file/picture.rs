//! Reads a picture for the model.

use std::fs::{File, Metadata};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use throughline_conversation::Image;

use crate::advice::SMALLER_PICTURE;
use crate::builtin::regular;
use crate::output::ToolOutput;
use crate::picture::{PICTURE_BYTES, PICTURE_SIDE, PictureKind};

/// Returns the picture, with a line that names its type and size.
///
/// # Errors
/// An error output for the model when the picture exceeds the limits of the providers: a request that contains it would
/// fail, and so would every later one.
pub(super) fn read(
    kind: PictureKind,
    file: &mut File,
    metadata: &Metadata,
    path: &str,
) -> Result<ToolOutput, ToolOutput> {
    let media_type = kind.media_type();
    let bytes = metadata.len();
    if bytes > PICTURE_BYTES {
        let text = format!(
            "{path} is a picture ({media_type}) of {bytes} bytes; at most {PICTURE_BYTES} can be shown. {SMALLER_PICTURE}"
        );
        return Err(ToolOutput::error(text));
    }
    let content = regular::whole(file, metadata, path)?.unwrap_or_default();
    let Some((width, height)) = kind.size(&content) else {
        let text = format!(
            "{path} begins like a picture ({media_type}), but it is damaged: it does not say its size."
        );
        return Err(ToolOutput::error(text));
    };
    if width.max(height) > PICTURE_SIDE {
        let text = format!(
            "{path} is a picture of {width} x {height} pixels; at most {PICTURE_SIDE} on a side can be shown. {SMALLER_PICTURE}"
        );
        return Err(ToolOutput::error(text));
    }
    let image = Image { media_type: media_type.to_owned(), data: STANDARD.encode(&content) };
    let text = format!("[{path}: {media_type}, {width} x {height} pixels, {bytes} bytes]");
    Ok(ToolOutput { images: vec![image], ..ToolOutput::text(text) })
}
