//! The window and what fills it, by component.

use serde::{Deserialize, Serialize};
use throughline_conversation::{Components, FigureSource, WindowFigures};

use crate::meter::Measured;

/// A window and what a request uses of it. All figures are tokens.
///
/// The room for a request is the *effective window*: the window less what is reserved for the answer, because a
/// provider counts both against one limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextBudget {
    /// The whole window, input and output together.
    pub total: u64,
    /// Reserved for the answer.
    pub max_output_tokens: u64,
    /// Used by the system prompt, skill fragments not included.
    pub system_prompt: u64,
    /// Used by the prompt fragments of active skills.
    pub skill_prompts: u64,
    /// Used by names, descriptions and schemas of the tools that are sent.
    pub tool_descriptions: u64,
    /// Used by messages, tool results and the tail of the request.
    pub conversation: u64,
    /// How sure the used figures are.
    pub source: FigureSource,
}

impl ContextBudget {
    /// An empty window of `total` tokens with `max_output_tokens` of them reserved for the answer.
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

    /// Room for a request. 0 when the reserve is as large as the window.
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

    /// Used part of the effective window in percent; above 100 when it is exceeded.
    ///
    /// Of a window without room anything is 100, and nothing is 0.
    #[must_use]
    pub fn used_percentage(&self) -> f64 {
        self.window_figures().used_percentage()
    }

    /// Whether the request does not fit: more is used than the effective window.
    #[must_use]
    pub fn exceeds_budget(&self) -> bool {
        self.used_tokens() > self.effective_window()
    }

    /// Takes the figures of a measurement; all components change together.
    pub fn measure_usage(&mut self, measured: &Measured) {
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

    /// The figures as a receipt keeps them.
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
