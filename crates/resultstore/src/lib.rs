//! Large tool results: what is stored, what the model sees, how it reads back.
