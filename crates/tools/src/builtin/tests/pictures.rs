//! Tests of reading pictures.

use serde_json::json;

use super::Workspace;

/// The smallest picture of each kind that says its size, in hexadecimal.
const PNG: &str = "89504e470d0a1a0a0000000d49484452000000020000000308060000007f";
const GIF: &str = "4749463839610200030080000000";
const JPEG: &str = "ffd8ffe000104a46494600010100000100010000ffffffc0000b080003000201011100ffd9";
const LOSSY: &str = "524946461a0000005745425056503820120000003001009d012a02000300";
const LOSSLESS: &str = "524946461a0000005745425056503 84c0d0000002f01800000";
const EXTENDED: &str = "524946461a000000574542505650385 80a00000010000000010000020000";

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).unwrap()).collect()
}

#[tokio::test]
async fn a_picture_is_recognised_whatever_its_name() {
    let workspace = Workspace::of(&[]);
    for (hex, media_type) in [
        (PNG, "image/png"),
        (GIF, "image/gif"),
        (JPEG, "image/jpeg"),
        (LOSSY, "image/webp"),
        (LOSSLESS, "image/webp"),
        (EXTENDED, "image/webp"),
    ] {
        let bytes = bytes(hex);
        workspace.put("p", &bytes);
        let output = workspace.call("read_file", json!({"path": "p"})).await;
        assert_eq!(output.to_text(), format!("[p: {media_type}, 2 x 3 pixels, {} bytes]", bytes.len()));
        let [image] = output.images.as_slice() else { panic!("one picture") };
        assert_eq!(image.media_type, media_type);
        assert!(!output.is_error);
    }
    workspace.put("p", &bytes(GIF));
    let output = workspace.call("read_file", json!({"path": "p"})).await;
    assert_eq!(output.images[0].data, "R0lGODlhAgADAIAAAAA=");
    workspace.fine("write_file", json!({"path": "p", "content": "it was seen, so it may be replaced"})).await;
}

#[tokio::test]
async fn a_picture_beyond_the_limits_of_providers_is_not_sent() {
    let workspace = Workspace::of(&[]);
    let mut wide = bytes(PNG);
    wide[18] = 0x7f;
    workspace.put("wide.png", &wide);
    let text = workspace.refused("read_file", json!({"path": "wide.png"})).await;
    assert_eq!(
        text,
        "wide.png is a picture (image/png) of 32514 x 3 pixels; at most 2000 on a side can be shown. Make a smaller copy with \
         shell and read that."
    );
    let mut large = bytes(PNG);
    large.resize(3_932_161, 1);
    workspace.put("large.png", &large);
    let text = workspace.refused("read_file", json!({"path": "large.png"})).await;
    assert!(
        text.starts_with("large.png is a picture (image/png) of 3,932,161 bytes; at most 3,932,160"),
        "{text}"
    );
    for hex in [PNG, GIF, JPEG, LOSSY, LOSSLESS, EXTENDED] {
        let start = bytes(hex);
        for length in 3..start.len() {
            workspace.put("cut", &start[..length]);
            let output = workspace.call("read_file", json!({"path": "cut"})).await;
            let text = output.to_text();
            let whole = !output.images.is_empty() && text.contains("2 x 3 pixels");
            assert!(whole || !text.is_empty(), "{hex} {length}: {text}");
        }
    }
    workspace.put("cut.jpg", &bytes(JPEG)[..12]);
    let text = workspace.refused("read_file", json!({"path": "cut.jpg"})).await;
    assert_eq!(
        text,
        "cut.jpg begins like a picture (image/jpeg), but it is damaged: it does not say its size."
    );
}

#[cfg(feature = "pictures")]
#[tokio::test]
async fn a_picture_that_is_too_large_is_made_smaller() {
    let mut screenshot = Vec::new();
    let mut encoder = png::Encoder::new(&mut screenshot, 2_880, 1_800);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![0x7f; 2_880 * 1_800 * 4]).unwrap();
    writer.finish().unwrap();
    let workspace = Workspace::of(&[]);
    workspace.put("screen.png", &screenshot);
    let output = workspace.call("read_file", json!({"path": "screen.png"})).await;
    let text = output.to_text();
    let said = "[screen.png: image/png, 2880 x 1800 pixels, shown at 2000 x 1250, ";
    assert!(text.starts_with(said), "{text}");
    let shown = crate::picture_in_base64(&output.images[0].data);
    assert_eq!(shown, Some((crate::PictureKind::Png, Some((2_000, 1_250)))));
}
