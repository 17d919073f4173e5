//! A window and the tokens used of it, by component.

use serde::{Deserialize, Serialize};
use throughline_conversation::{Components, FigureSource, WindowFigures};

use crate::meter::MeasuredTokens;

/// The most tokens to reserve for an answer in a window, unless the user asks for more: a quarter of it. More would leave a small
/// window without room for the system prompt and the tools.
#[must_use]
pub fn output_share(window: u64) -> u64 {
    (window / 4).max(1)
}

/// A window and the tokens that a request uses of it.
///
/// The room for a request is the *effective window*: the window minus the reserved output, because providers
/// count both against one limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextBudget {
    /// The whole window, input and output together.
    pub total: u64,
    /// Reserved for output.
    pub max_output_tokens: u64,
    /// Used by the system prompt without skill fragments.
    pub system_prompt: u64,
    /// Used by the prompt fragments of active skills.
    pub skill_prompts: u64,
    /// Used by names, descriptions and schemas of the tools that are sent.
    pub tool_descriptions: u64,
    /// Used by messages, tool results and the tail of the request.
    pub conversation: u64,
    /// How reliable the used figures are.
    pub source: FigureSource,
}

impl ContextBudget {
    /// Creates an empty window of `total` tokens, `max_output_tokens` of them reserved for output.
    #[must_use]
    pub fn new(total: u64, max_output_tokens: u64) -> Self {
        Self {
            total,
            max_output_tokens,
            system_prompt: 0,
            skill_prompts: 0,
            tool_descriptions: 0,
            conversation: 0,
            source: FigureSource::Estimated,
        }
    }

    /// The room for a request; 0 if the reserved output takes the whole window.
    #[must_use]
    pub fn effective_window(&self) -> u64 {
        self.total.saturating_sub(self.max_output_tokens)
    }

    /// Sum of the four components.
    #[must_use]
    pub fn used_tokens(&self) -> u64 {
        self.components().total()
    }

    /// Room left in the effective window; 0 when it is exceeded.
    #[must_use]
    pub fn remaining_tokens(&self) -> u64 {
        self.window_figures().free()
    }

    /// The used part of the effective window in percent; above 100 when it is exceeded.
    ///
    /// For a window without room: 100 if anything is used, else 0.
    #[must_use]
    pub fn used_percentage(&self) -> f64 {
        self.window_figures().used_percentage()
    }

    /// Returns true if the request does not fit the effective window.
    #[must_use]
    pub fn exceeds_budget(&self) -> bool {
        self.used_tokens() > self.effective_window()
    }

    /// Replaces all components by those of a measurement.
    pub fn measure_usage(&mut self, measured: &MeasuredTokens) {
        let Components { system, skills, tools, conversation } = measured.used;
        self.system_prompt = system;
        self.skill_prompts = skills;
        self.tool_descriptions = tools;
        self.conversation = conversation;
        self.source = measured.source;
    }

    /// The used tokens by component.
    #[must_use]
    pub fn components(&self) -> Components {
        Components {
            system: self.system_prompt,
            skills: self.skill_prompts,
            tools: self.tool_descriptions,
            conversation: self.conversation,
        }
    }

    /// The figures in the form that receipts record.
    #[must_use]
    pub fn window_figures(&self) -> WindowFigures {
        WindowFigures {
            total: self.total,
            reserved_output: self.max_output_tokens,
            used: self.components(),
            source: self.source,
        }
    }
}
