//! Which tool descriptions the model sees, and how it finds the others.
