//! Pictures beyond the limits of providers, made smaller.

use super::*;

/// A picture of these pixels with a gradient, as PNG.
fn gradient(width: usize, height: usize) -> Vec<u8> {
    let value = |at: usize| u8::try_from(at * 255 / (width * height)).unwrap();
    let bytes = (0..width * height).map(value).collect();
    to_png(&Pixels { width, height, channels: 1, bytes }).unwrap()
}

#[test]
fn a_large_picture_has_the_most_pixels_that_a_request_takes() {
    let made = scaled(PictureKind::Png, &gradient(2_500, 1_000)).unwrap();
    assert_eq!(PictureKind::of(&made), Some(PictureKind::Png));
    assert_eq!(PictureKind::Png.size(&made), Some((2_000, 800)));
    let pixels = of_png(&made).unwrap();
    assert!(pixels.bytes[0] <= 1 && pixels.bytes.last() >= Some(&254));
}

#[test]
fn a_picture_that_cannot_be_decoded_has_no_smaller_form() {
    let good = gradient(2_100, 10);
    assert_eq!(scaled(PictureKind::Png, &good[..good.len() / 2]), None);
    assert_eq!(scaled(PictureKind::Webp, &good), None);
    let mut huge = good;
    huge[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
    assert_eq!(scaled(PictureKind::Png, &huge), None);
}

#[test]
fn the_orientation_is_read_in_both_orders_of_bytes() {
    let little = b"II*\0\x08\0\0\0\x02\0\x0f\x01\x02\0\0\0\0\0\0\0\0\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
    let big = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0";
    assert_eq!((orientation(little), orientation(big)), (Some(6), Some(8)));
    assert_eq!((orientation(b"II*\0\xff\xff\0\0"), orientation(b"")), (None, None));
}

#[test]
fn a_photo_of_a_turned_camera_is_upright() {
    // 2,048 x 8 pixels, black on the left and white on the right, to be turned clockwise.
    let photo = include_bytes!("turned.jpg");
    let made = scaled(PictureKind::Jpeg, photo).unwrap();
    assert_eq!(PictureKind::Png.size(&made), Some((7, 2_000)));
    let pixels = of_png(&made).unwrap();
    assert!(pixels.bytes[..30].iter().all(|byte| *byte < 10));
    assert!(pixels.bytes.iter().rev().take(30).all(|byte| *byte > 245));
}
