//! The port through which a running call asks the user.

use std::fmt::Debug;

use async_trait::async_trait;
use serde_json::{Map, Value};

use crate::form::Form;

/// What the server of a tool asks the user while a call runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Elicitation {
    /// The server.
    pub server: String,
    /// Its words. They may contain anything, so a front end sanitizes them.
    pub message: String,
    /// What it asks for.
    pub request: ElicitationRequest,
}

/// What a server asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum ElicitationRequest {
    /// Values, which it receives.
    Form(Form),
    /// A visit to a page. What the user does there stays between them and the page.
    Page {
        /// Its address.
        url: String,
    },
}

/// What the user answers.
#[derive(Debug, Clone, PartialEq)]
pub enum ElicitationAnswer {
    /// These values of the form, by name; none for a page, which means that the user agrees to visit it.
    Accept(Map<String, Value>),
    /// No.
    Decline,
    /// Nothing: the question was closed, or no person can be asked.
    Cancel,
}

/// Asks the user on behalf of a server.
///
/// # Contract
/// - MUST show the name of the server and all of its words, and of a page the whole address.
/// - MUST return only values that [`Form::check`] accepts.
/// - MUST send nothing before the user agrees, and MUST offer to decline.
/// - MUST withdraw the question when the future is dropped.
/// - MUST NOT open a page that the user has not agreed to.
///
/// # When it fails
/// It returns [`ElicitationAnswer::Cancel`], and the server decides how the call continues.
#[async_trait]
pub trait Elicitor: Debug + Send + Sync {
    /// Asks, and waits for the answer.
    async fn elicit(&self, elicitation: &Elicitation) -> ElicitationAnswer;
}

const _: Option<&dyn Elicitor> = None;
