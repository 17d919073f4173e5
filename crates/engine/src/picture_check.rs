//! Pictures of a tool's result are checked when it arrives: what a provider would reject is stored and named in the text.

use throughline_conversation::{Image, Millis};
use throughline_text::group_thousands;
use throughline_tools::{PICTURES_OF_RESULT, base64_bytes, check_picture};

use crate::step_context::StepContext;

/// The pictures of a result that can be shown, and a line for each other one.
#[derive(Debug, Default)]
pub(crate) struct CheckedPictures {
    pub(crate) shown: Vec<Image>,
    pub(crate) notes: Vec<String>,
}

/// Checks the pictures of a result. One that cannot be shown is stored as it came, as one line of text.
pub(crate) async fn check_pictures(
    step: &mut StepContext<'_>,
    tool: &str,
    images: Vec<Image>,
    at: Millis,
) -> CheckedPictures {
    let SortedPictures { shown, mut notes, rejected } = sort_pictures(images);
    for (image, why) in rejected {
        let bytes = group_thousands(base64_bytes(&image.data));
        let place = match step.state.tools.results().keep(tool, image.to_data_url().as_bytes(), at).await {
            Ok(stored) => format!("It is stored: ref_id=\"{stored}\"."),
            Err(error) => {
                let fallback = "a picture that cannot be shown is lost";
                step.state.session.degrade(&step.turn, "result store", fallback, &error);
                "It could not be stored.".to_owned()
            }
        };
        let what = match image.media_type.split_once('/') {
            Some(("audio" | "video" | "application" | "font" | "model", _)) => "file",
            _ => "picture",
        };
        notes.push(format!("[A {what} of {bytes} bytes is not shown: {why}. {place}]"));
    }
    CheckedPictures { shown, notes }
}

/// The pictures of a result.
#[derive(Debug, Default)]
pub(crate) struct SortedPictures {
    /// Those that can be shown.
    pub(crate) shown: Vec<Image>,
    /// A line for each of them that was made smaller.
    pub(crate) notes: Vec<String>,
    /// The others with the reason.
    pub(crate) rejected: Vec<(Image, String)>,
}

/// Sorts the pictures of a result by whether they can be shown.
pub(crate) fn sort_pictures(images: Vec<Image>) -> SortedPictures {
    let mut sorted = SortedPictures::default();
    for image in images {
        match check_picture(&image) {
            Ok(_) if sorted.shown.len() >= PICTURES_OF_RESULT => {
                let why = format!("{PICTURES_OF_RESULT} others are shown, and that is the most");
                sorted.rejected.push((image, why));
            }
            Ok(checked) => {
                sorted.shown.push(checked.image);
                sorted.notes.extend(checked.note.map(|note| format!("[A picture of {note}.]")));
            }
            Err(why) => sorted.rejected.push((image, why)),
        }
    }
    sorted
}
