//! Means of areas, and the eight orientations.

use super::Pixels;

fn gray(width: usize, bytes: &[u8]) -> Pixels {
    Pixels { width, height: bytes.len() / width, channels: 1, bytes: bytes.to_vec() }
}

#[test]
fn each_pixel_is_the_mean_of_the_area_that_it_covers() {
    assert_eq!(gray(4, &[0, 10, 20, 40, 0, 10, 20, 40]).shrunk(2), gray(2, &[5, 30]));
    // The second old pixel is half in each new one.
    assert_eq!(gray(3, &[0, 90, 30]).shrunk(2), gray(2, &[30, 50]));
    let colours = Pixels { width: 2, height: 1, channels: 3, bytes: vec![0, 10, 20, 20, 30, 40] };
    assert_eq!(colours.shrunk(1).bytes, [10, 20, 30]);
    assert_eq!(gray(2, &[1, 2]).shrunk(2), gray(2, &[1, 2]));
}

#[test]
fn a_picture_of_a_camera_that_was_turned_is_upright() {
    // The letter L in three columns and two rows, from the top: "ab", "c.", "d." would be its upright form.
    let (upright, wide) = (gray(2, b"abc.d."), |bytes: &[u8; 6]| gray(3, bytes));
    for (orientation, recorded) in [
        (1, gray(2, b"abc.d.")),
        (2, gray(2, b"ba.c.d")),
        (3, gray(2, b".d.cba")),
        (4, gray(2, b"d.c.ab")),
        (5, wide(b"acdb..")),
        (6, wide(b"b..acd")),
        (7, wide(b"..bdca")),
        (8, wide(b"dca..b")),
    ] {
        assert_eq!(recorded.upright(orientation), upright, "{orientation}");
    }
}
