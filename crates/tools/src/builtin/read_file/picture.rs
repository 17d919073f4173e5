//! Pictures: recognised by their content, measured without being decoded.

use std::fs::{File, Metadata};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use throughline_conversation::Image;

use crate::ToolOutput;
use crate::builtin::regular;

/// Most bytes of a picture: in base64 it then has the 5 MiB that providers take at most
/// (<https://docs.anthropic.com/en/docs/build-with-claude/vision>).
const MAX_BYTES: u64 = 3_932_160;

/// Most pixels of a side, from the same page.
const MAX_SIDE: u32 = 8_000;

/// The forms that providers take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Png,
    Jpeg,
    Gif,
    Webp,
}

impl Kind {
    fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }
}

/// The form of a picture that begins so.
pub(super) fn kind(start: &[u8]) -> Option<Kind> {
    match start {
        _ if start.starts_with(b"\x89PNG\r\n\x1a\n") => Some(Kind::Png),
        _ if start.starts_with(&[0xff, 0xd8, 0xff]) => Some(Kind::Jpeg),
        _ if start.starts_with(b"GIF87a") || start.starts_with(b"GIF89a") => Some(Kind::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Kind::Webp),
        _ => None,
    }
}

/// The picture with a line that says what it is.
///
/// # Errors
/// An error output for the model when no provider would take it: a request with such a picture fails, and so does each
/// one after it.
pub(super) fn read(
    kind: Kind,
    file: &mut File,
    metadata: &Metadata,
    path: &str,
) -> Result<ToolOutput, ToolOutput> {
    let media_type = kind.media_type();
    let smaller = "Make a smaller copy with shell and read that.";
    let bytes = metadata.len();
    if bytes > MAX_BYTES {
        let text = format!(
            "{path} is a picture ({media_type}) of {bytes} bytes; at most {MAX_BYTES} can be shown. {smaller}"
        );
        return Err(ToolOutput::error(text));
    }
    let content = regular::whole(file, metadata, path)?.unwrap_or_default();
    let Some((width, height)) = size(kind, &content).filter(|(width, height)| *width > 0 && *height > 0)
    else {
        let text = format!(
            "{path} begins like a picture ({media_type}), but it is damaged: it does not say its size."
        );
        return Err(ToolOutput::error(text));
    };
    if width.max(height) > MAX_SIDE {
        let text = format!(
            "{path} is a picture of {width} x {height} pixels; at most {MAX_SIDE} on a side can be shown. {smaller}"
        );
        return Err(ToolOutput::error(text));
    }
    let image = Image { media_type: media_type.to_owned(), data: STANDARD.encode(&content) };
    let text = format!("[{path}: {media_type}, {width} x {height} pixels, {bytes} bytes]");
    Ok(ToolOutput { images: vec![image], ..ToolOutput::text(text) })
}

/// Width and height in pixels. `None`: the picture is damaged.
fn size(kind: Kind, bytes: &[u8]) -> Option<(u32, u32)> {
    match kind {
        Kind::Png => Some((big(bytes.get(16..20)?), big(bytes.get(20..24)?))),
        Kind::Gif => Some((little(bytes.get(6..8)?), little(bytes.get(8..10)?))),
        Kind::Webp => webp(bytes),
        Kind::Jpeg => jpeg(bytes),
    }
}

/// The three forms of <https://developers.google.com/speed/webp/docs/riff_container>.
fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " => Some((little(bytes.get(26..28)?) & 0x3fff, little(bytes.get(28..30)?) & 0x3fff)),
        b"VP8L" => {
            let bits = little(bytes.get(21..25)?);
            Some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
        }
        b"VP8X" => Some((little(bytes.get(24..27)?) + 1, little(bytes.get(27..30)?) + 1)),
        _ => None,
    }
}

/// Goes from marker to marker until one that begins a frame (ITU-T T.81, B.1.1.3 and B.2.2).
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        while bytes.get(at)? == &0xff && bytes.get(at + 1)? == &0xff {
            at += 1;
        }
        let [0xff, marker] = *bytes.get(at..at + 2)? else { return None };
        at += 2;
        match marker {
            0x01 | 0xd0..=0xd8 => {}
            0xd9 | 0xda => return None,
            // 0xc4, 0xc8 and 0xcc are tables and reserved; the rest of the row are frames.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Some((big(bytes.get(at + 5..at + 7)?), big(bytes.get(at + 3..at + 5)?)));
            }
            _ => at += big(bytes.get(at..at + 2)?) as usize,
        }
    }
}

fn big(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn little(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}
