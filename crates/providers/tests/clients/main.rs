//! Every client against a real server on this machine: one contract for all of them, and what is special in each.

mod anthropic;
mod cache_breakpoints;
mod cache_diagnostics;
mod compaction;
mod contract;
mod gemini;
mod ollama;
mod openai;
mod refused_forms;
mod refused_tools;
mod served;
mod thinking_back;
