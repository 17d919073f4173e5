//! Reading pictures from the clipboard.

use super::{PNG, Reader, read, reader};

#[test]
fn the_desktop_decides_which_program_reads() {
    let program = |macos, wayland, x11| reader(macos, wayland, x11).map(|reader| reader.program);
    assert_eq!(program(true, false, false).unwrap(), "pngpaste");
    assert_eq!(program(false, true, true).unwrap(), "wl-paste");
    assert_eq!(program(false, false, true).unwrap(), "xclip");
    assert!(program(false, false, false).unwrap_err().to_string().contains("name a file with @PATH"));
}

#[tokio::test]
async fn only_a_picture_is_taken() {
    let of = |args| Reader { program: "printf", args, package: "coreutils" };
    let read_back = read(of(&[r"\211PNG\r\n\032\nrest"])).await.unwrap();
    assert!(read_back.starts_with(PNG) && read_back.ends_with(b"rest"));
    let text = read(of(&["words"])).await.unwrap_err();
    assert_eq!(text.to_string(), "the clipboard holds no picture");
    let absent = Reader { program: "throughline-no-such-program", args: &[], package: "nothing" };
    assert!(read(absent).await.unwrap_err().to_string().contains("is not installed (package nothing)"));
}
