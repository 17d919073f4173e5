//! `read_result`: reads back an offloaded result.

use std::collections::BTreeSet;

use serde_json::Value;
use throughline_compaction::pictures_in;
use throughline_conversation::{Image, ResultRef};
use throughline_resultstore::{ReadRequest, ShownResult};
use throughline_text::error_chain;
use throughline_tools::{PICTURES_OF_RESULT, ToolOutput, picture_note, stored_picture};

use crate::step_context::StepContext;

/// A stored picture is shown as one, and a text with the pictures that it names.
pub(super) async fn call(step: &mut StepContext<'_>, input: &Value) -> ToolOutput {
    let request = match ReadRequest::from_input(input) {
        Ok(request) => request,
        Err(error) => return ToolOutput::error(error_chain(&error)),
    };
    let page = match step.state.tools.results().read_shown(&request, stored_picture).await {
        Ok(ShownResult::Page(page)) => page,
        Ok(ShownResult::Picture(image)) => {
            let text = picture_note(&request.ref_id, &image);
            return ToolOutput { images: vec![image], ..ToolOutput::text(text) };
        }
        Err(error) => return ToolOutput::error(error_chain(&error)),
    };
    let named: BTreeSet<ResultRef> = pictures_in(&page.content).collect();
    let mut images = Vec::new();
    for named in named.iter().take(PICTURES_OF_RESULT) {
        images.extend(picture(step, named).await);
    }
    ToolOutput { images, ..ToolOutput::text(page.text) }
}

/// The stored picture of this name that can be shown.
async fn picture(step: &StepContext<'_>, id: &ResultRef) -> Option<Image> {
    // A picture that cannot be read is missing next to a text that names it.
    let stored = step.state.tools.results().find(id).await.ok()??;
    stored_picture(&stored.content)
}
