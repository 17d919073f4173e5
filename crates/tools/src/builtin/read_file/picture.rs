//! Reads a picture for the model.

use std::fs::{File, Metadata};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use throughline_conversation::Image;
use throughline_text::group_thousands;

use crate::advice::SMALLER_PICTURE;
use crate::builtin::regular;
use crate::output::ToolOutput;
use crate::picture::{CheckedPicture, PictureKind, limit_passed, smaller_picture};

/// Returns the picture, with a line that names its type and size. One that is too large is made smaller if it can be.
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
    let refused = |what: &str| {
        ToolOutput::error(format!(
            "{path} is a picture ({media_type}) of {what} can be shown. {SMALLER_PICTURE}"
        ))
    };
    let Some(content) = regular::whole(file, metadata, path)? else {
        let (bytes, most) = (group_thousands(metadata.len()), group_thousands(regular::WHOLE));
        return Err(refused(&format!("{bytes} bytes; at most {most}")));
    };
    let bytes = content.len() as u64;
    let Some((width, height)) = kind.size(&content) else {
        let text = format!(
            "{path} begins like a picture ({media_type}), but it is damaged: it does not say its size."
        );
        return Err(ToolOutput::error(text));
    };
    let checked = match limit_passed(bytes, width, height) {
        Some(limit) => smaller_picture(kind, &content).ok_or_else(|| refused(&limit))?,
        None => {
            let image = Image { media_type: media_type.to_owned(), data: STANDARD.encode(&content) };
            CheckedPicture { image, note: None }
        }
    };
    let pixels = checked.note.unwrap_or_else(|| format!("{width} x {height} pixels"));
    let text = format!("[{path}: {media_type}, {pixels}, {bytes} bytes]");
    Ok(ToolOutput { images: vec![checked.image], ..ToolOutput::text(text) })
}
