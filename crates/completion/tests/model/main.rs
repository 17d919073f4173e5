//! Requests, the prefix cache, the stream of an answer and the scripted model.

mod assembly;
mod cache;
mod errors;
mod probe;
mod request;
mod scripted;
