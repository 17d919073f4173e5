//! Recognises pictures by their content, reads their size without decoding them, and makes those smaller that are too large.

#[cfg(feature = "pictures")]
mod pixels;
#[cfg(feature = "pictures")]
mod scaling;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use throughline_conversation::{Image, ResultRef};
use throughline_text::group_thousands;

/// Maximum pixels per side of a picture for a model. Anthropic takes 8,000, but no more than 2,000 of every
/// picture in a request that has more than 20 of them, those of earlier messages included
/// (<https://platform.claude.com/docs/en/build-with-claude/vision>). Each fits such a request from the start.
pub(crate) const PICTURE_SIDE: u32 = 2_000;

/// Maximum bytes of a picture: 5 MiB in base64, the most that providers accept (the same page).
pub(crate) const PICTURE_BYTES: u64 = 3_932_160;

/// Maximum number of pictures of one result that are shown.
pub const PICTURES_OF_RESULT: usize = 20;

/// A picture format that providers accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PictureKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
}

impl PictureKind {
    /// Recognises the format by the first bytes. `None` if it is not a picture in a format that providers accept.
    #[must_use]
    pub fn of(start: &[u8]) -> Option<Self> {
        match start {
            _ if start.starts_with(b"\x89PNG\r\n\x1a\n") => Some(Self::Png),
            _ if start.starts_with(&[0xff, 0xd8, 0xff]) => Some(Self::Jpeg),
            _ if start.starts_with(b"GIF87a") || start.starts_with(b"GIF89a") => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// The media type, for example `image/png`.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    /// Width and height in pixels. `None` if the picture is damaged or empty.
    #[must_use]
    pub fn size(self, bytes: &[u8]) -> Option<(u32, u32)> {
        let size = match self {
            Self::Png => (big(bytes.get(16..20)?), big(bytes.get(20..24)?)),
            Self::Gif => (little(bytes.get(6..8)?), little(bytes.get(8..10)?)),
            Self::Webp => webp(bytes)?,
            Self::Jpeg => jpeg(bytes)?,
        };
        (size.0 > 0 && size.1 > 0).then_some(size)
    }
}

/// Recognises a picture in base64: its format, and its width and height in pixels if they can be read. `None` if the text is
/// not a picture in well-formed base64. Takes time linear in the length of the text.
#[must_use]
pub fn picture_in_base64(data: &str) -> Option<(PictureKind, Option<(u32, u32)>)> {
    /// The longest signature of a format, in base64.
    const START: usize = 16;
    let start = STANDARD.decode(data.get(..START)?).ok()?;
    let kind = PictureKind::of(&start)?;
    let bytes = STANDARD.decode(data).ok()?;
    Some((kind, kind.size(&bytes)))
}

/// The text that a text in base64 encodes; `None` if that is no text.
#[must_use]
pub fn text_in_base64(data: &str) -> Option<String> {
    let text = String::from_utf8(STANDARD.decode(data).ok()?).ok()?;
    let is_shown = |letter: char| !letter.is_control() || letter.is_ascii_whitespace();
    (!text.is_empty() && text.chars().all(is_shown)).then_some(text)
}

/// The number of bytes that a text in base64 encodes.
#[must_use]
pub fn base64_bytes(data: &str) -> u64 {
    data.trim_end_matches('=').len() as u64 * 3 / 4
}

/// A picture that every provider accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedPicture {
    /// The picture, with the media type of its bytes: a provider rejects a request in which bytes and type differ.
    pub image: Image,
    /// What the model should know if it was made smaller, as positions in it are others.
    pub note: Option<String>,
}

/// Checks whether every provider accepts a picture. A PNG or a JPEG that is too large is made smaller; without the feature
/// `pictures` it cannot be shown.
///
/// # Errors
/// Why it cannot be shown: a request that contains it would fail, and so would every later one.
pub fn check_picture(image: &Image) -> Result<CheckedPicture, String> {
    let bytes = STANDARD.decode(&image.data).map_err(|_| "its base64 is malformed".to_owned())?;
    let kind = PictureKind::of(&bytes).ok_or_else(|| "it is no PNG, JPEG, GIF or WebP".to_owned())?;
    let size = kind.size(&bytes);
    let (width, height) =
        size.ok_or_else(|| "it is damaged, it does not say its size in pixels".to_owned())?;
    let whole = || Image { media_type: kind.media_type().to_owned(), data: image.data.clone() };
    let Some(limit) = limit_passed(bytes.len() as u64, width, height) else {
        return Ok(CheckedPicture { image: whole(), note: None });
    };
    let smaller = smaller_picture(kind, &bytes);
    smaller.ok_or_else(|| format!("it has {limit} can be shown; ask for a smaller one, or for a part of it"))
}

/// The limit of providers that a picture with these bytes and pixels is over, as `N bytes; at most M`; `None` if it is within all.
pub(crate) fn limit_passed(bytes: u64, width: u32, height: u32) -> Option<String> {
    if width.max(height) > PICTURE_SIDE {
        return Some(format!("{width} x {height} pixels; at most {PICTURE_SIDE} on a side"));
    }
    (bytes > PICTURE_BYTES)
        .then(|| format!("{} bytes; at most {}", group_thousands(bytes), group_thousands(PICTURE_BYTES)))
}

/// A smaller form of a picture that is too large; `None` if it has none.
#[cfg(feature = "pictures")]
pub(crate) fn smaller_picture(kind: PictureKind, bytes: &[u8]) -> Option<CheckedPicture> {
    let made = scaling::scaled(kind, bytes)?;
    let ((from_width, from_height), (width, height)) = (kind.size(bytes)?, PictureKind::Png.size(&made)?);
    let note = format!("{from_width} x {from_height} pixels, shown at {width} x {height}");
    let media_type = PictureKind::Png.media_type().to_owned();
    Some(CheckedPicture { image: Image { media_type, data: STANDARD.encode(made) }, note: Some(note) })
}

/// None: nothing decodes pictures.
#[cfg(not(feature = "pictures"))]
pub(crate) fn smaller_picture(_: PictureKind, _: &[u8]) -> Option<CheckedPicture> {
    None
}

/// The three variants of <https://developers.google.com/speed/webp/docs/riff_container>.
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

/// Scans the markers up to the first start of frame (ITU-T T.81, B.1.1.3 and B.2.2).
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
            // 0xc4, 0xc8 and 0xcc are tables or reserved; the others start a frame.
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

/// The picture that a stored content is, if a model can be shown it.
#[must_use]
pub fn stored_picture(content: &[u8]) -> Option<Image> {
    let image = Image::from_data_url(std::str::from_utf8(content).ok()?)?;
    check_picture(&image).ok().map(|checked| checked.image)
}

/// The text that is shown with a stored picture.
#[must_use]
pub fn picture_note(id: &ResultRef, image: &Image) -> String {
    let bytes = group_thousands(image.data.len() as u64);
    format!("[Result {id}: a picture, {}, {bytes} bytes of base64]", image.media_type)
}
