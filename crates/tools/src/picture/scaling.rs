//! Makes a picture small enough for every provider.

use std::io::Cursor;

use png::{BitDepth, ColorType, Transformations};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::pixels::Pixels;
use super::{PICTURE_BYTES, PICTURE_SIDE, PictureKind};

/// Maximum pixels of a picture that is decoded: 200 MB with four channels.
const MAX_PIXELS: u64 = 50_000_000;

/// Minimum pixels of the longer side of what is made. A picture that is too large even so is refused.
const MIN_SIDE: usize = 200;

/// The picture as a PNG that every provider accepts, from a PNG or a JPEG. `None` for other formats and for one that is
/// damaged or has more than 50 million pixels.
pub(super) fn scaled(kind: PictureKind, bytes: &[u8]) -> Option<Vec<u8>> {
    let (width, height) = kind.size(bytes)?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return None;
    }
    let pixels = match kind {
        PictureKind::Png => of_png(bytes)?,
        PictureKind::Jpeg => of_jpeg(bytes)?,
        PictureKind::Gif | PictureKind::Webp => return None,
    };
    let mut side = PICTURE_SIDE as usize;
    while side >= MIN_SIDE {
        let encoded = to_png(&pixels.shrunk(side))?;
        if encoded.len() as u64 <= PICTURE_BYTES {
            return Some(encoded);
        }
        side = side * 3 / 4;
    }
    None
}

fn of_png(bytes: &[u8]) -> Option<Pixels> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let mut buffer = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut buffer).ok()?;
    buffer.truncate(frame.buffer_size());
    let (width, height) = (frame.width as usize, frame.height as usize);
    Some(Pixels { width, height, channels: frame.color_type.samples(), bytes: buffer })
}

fn of_jpeg(bytes: &[u8]) -> Option<Pixels> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let bytes = decoder.decode().ok()?;
    let (width, height) = decoder.dimensions()?;
    let channels = decoder.output_colorspace()?.num_components();
    let orientation = decoder.exif().and_then(|exif| orientation(exif)).unwrap_or(1);
    Some(Pixels { width, height, channels, bytes }.upright(orientation))
}

fn to_png(pixels: &Pixels) -> Option<Vec<u8>> {
    let mut encoded = Vec::new();
    let (width, height) = (u32::try_from(pixels.width).ok()?, u32::try_from(pixels.height).ok()?);
    let mut encoder = png::Encoder::new(&mut encoded, width, height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_color(match pixels.channels {
        1 => ColorType::Grayscale,
        2 => ColorType::GrayscaleAlpha,
        3 => ColorType::Rgb,
        _ => ColorType::Rgba,
    });
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&pixels.bytes).ok()?;
    writer.finish().ok()?;
    Some(encoded)
}

/// The value of the tag `Orientation` in the first directory (TIFF 6.0, pages 13 to 16).
fn orientation(exif: &[u8]) -> Option<u16> {
    const TAG: u32 = 0x0112;
    let number: fn(&[u8]) -> u32 = match exif.get(..2)? {
        b"II" => super::little,
        b"MM" => super::big,
        _ => return None,
    };
    let at = number(exif.get(4..8)?) as usize;
    let count = number(exif.get(at..at + 2)?) as usize;
    let mut entries = exif.get(at + 2..)?.chunks_exact(12).take(count);
    let entry = entries.find(|entry| entry.get(..2).is_some_and(|tag| number(tag) == TAG))?;
    u16::try_from(number(entry.get(8..10)?)).ok()
}

#[cfg(test)]
mod tests;
