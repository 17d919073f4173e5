//! What the model sees of a command of the user.

use super::*;

fn text(block: &ContentBlock) -> &str {
    let ContentBlock::Text { text } = block else { panic!("{block:?}") };
    text
}

#[test]
fn the_output_goes_to_the_model_with_its_command() {
    let block = for_the_model("ls", &ToolOutput::text("a.rs\nb.rs\n"));
    assert_eq!(text(&block), "The user ran a command:\n$ ls\na.rs\nb.rs");
}

#[test]
fn a_long_output_is_cut() {
    let block = for_the_model("yes", &ToolOutput::text("y\n".repeat(MAX_OUTPUT_BYTES)));
    let text = text(&block);
    assert!(text.len() < MAX_OUTPUT_BYTES + 100 && text.ends_with("[The output is longer.]"));
}
