//! After a request that was not answered.

use throughline_compaction::PictureFault;
use throughline_completion::{GuessedOverflow, ModelError, RefusalDetails};

use crate::compacting::Compaction;
use crate::error::TurnError;
use crate::event::Event;
use crate::pictures;
use crate::thinking;
use crate::turn_context::TurnContext;
use crate::window::Guess;

/// A request that was not answered.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: ModelError,
    /// A part of an answer was shown to the user.
    pub(crate) shown: bool,
    /// The counter's tokens of the request.
    pub(crate) raw: u64,
}

impl Failure {
    /// Reports that what was shown of the answer does not count.
    fn withdraw(&self, turn: &TurnContext<'_>, why: &str) {
        if self.shown {
            turn.sink.emit(Event::Withdrawn { why: why.to_owned() });
        }
    }
}

/// How the turn continues.
#[derive(Debug)]
pub(crate) enum Recovery {
    /// The view has shrunk: build another request.
    Compacted,
    /// Pictures or thinking are left out, or the answer may be shorter: build another request.
    LessContent,
    /// The request is not at fault: a fallback model may answer it.
    AnotherModel(Failure),
}

/// Recovers from a failure as far as the request is at fault. `may_compact` is false when the request was rebuilt too
/// often already.
pub(crate) async fn recover(
    failure: Failure,
    may_compact: bool,
    compaction: &mut Compaction<'_>,
) -> Result<Recovery, TurnError> {
    match compaction.window.guess(&failure.error, failure.raw, may_compact) {
        Guess::Overflow(guessed) => return recover_guessed(failure, guessed, compaction).await,
        Guess::Wrong => compaction.withdraw_guess(),
        Guess::None => {}
    }
    match &failure.error {
        ModelError::Overflow { message, limit, tokens } if may_compact => {
            failure.withdraw(compaction.turn, message);
            compaction.after_overflow(failure.raw, message, *limit, *tokens).await?;
            Ok(Recovery::Compacted)
        }
        ModelError::TooLarge { message } => {
            if pictures::leave_out(compaction, PictureFault::TooMuch, message).await {
                failure.withdraw(compaction.turn, message);
                return Ok(Recovery::LessContent);
            }
            if !may_compact {
                return Err(failure.error.into());
            }
            failure.withdraw(compaction.turn, message);
            compaction.after_too_large(message).await?;
            Ok(Recovery::Compacted)
        }
        ModelError::OutputTooLarge { message, limit } => {
            if !compaction.learn_max_output(*limit) {
                return Err(failure.error.into());
            }
            failure.withdraw(compaction.turn, message);
            Ok(Recovery::LessContent)
        }
        ModelError::PictureRefused { message } => {
            let is_less = pictures::leave_out(compaction, PictureFault::NotTaken, message).await;
            less_content(&failure, is_less, message, compaction)
        }
        ModelError::ThinkingRefused { message } => {
            let is_less = thinking::leave_out(compaction, message).await;
            less_content(&failure, is_less, message, compaction)
        }
        ModelError::Filtered { message } => {
            compaction.session.note_refusal(Some(filtered(message)));
            Ok(Recovery::AnotherModel(failure))
        }
        ModelError::InvalidRequest { message }
            if failure.error.wants_text()
                && pictures::leave_out(compaction, PictureFault::NotTaken, message).await =>
        {
            failure.withdraw(compaction.turn, message);
            Ok(Recovery::LessContent)
        }
        error if another_may_answer(error) => Ok(Recovery::AnotherModel(failure)),
        _ => Err(failure.error.into()),
    }
}

/// The refusal of a filter that answered in place of the model.
fn filtered(message: &str) -> RefusalDetails {
    RefusalDetails {
        category: Some("content filter".to_owned()),
        explanation: Some(message.to_owned()),
        recommended_model: None,
    }
}

/// What follows when content was refused in words that name its kind. Where the request had none of the kind, the fault is
/// another one.
fn less_content(
    failure: &Failure,
    is_less: bool,
    message: &str,
    compaction: &mut Compaction<'_>,
) -> Result<Recovery, TurnError> {
    if !is_less {
        return Err(ModelError::InvalidRequest { message: message.to_owned() }.into());
    }
    failure.withdraw(compaction.turn, message);
    Ok(Recovery::LessContent)
}

/// Compacts after an error that is guessed to be an overflow. If that is not possible, the error is what the server said.
async fn recover_guessed(
    failure: Failure,
    guessed: GuessedOverflow,
    compaction: &mut Compaction<'_>,
) -> Result<Recovery, TurnError> {
    let message = failure.error.to_string();
    let notice = format!("this error is taken for a request that is too long, and compacted: {message}");
    compaction.turn.sink.emit(Event::Notice(notice));
    match compaction.after_overflow(failure.raw, &message, guessed.limit, guessed.tokens).await {
        Ok(()) => {
            failure.withdraw(compaction.turn, &message);
            Ok(Recovery::Compacted)
        }
        Err(TurnError::Model(ModelError::Overflow { .. })) => {
            compaction.withdraw_guess();
            match another_may_answer(&failure.error) {
                true => Ok(Recovery::AnotherModel(failure)),
                false => Err(failure.error.into()),
            }
        }
        Err(error) => Err(error),
    }
}

/// Returns true if the model or its provider is at fault, and not the request.
fn another_may_answer(error: &ModelError) -> bool {
    let cannot = matches!(
        error,
        ModelError::Unauthorized { .. } | ModelError::Unpaid { .. } | ModelError::UnknownModel { .. }
    );
    error.is_transient() || cannot
}
