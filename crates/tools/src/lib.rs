//! The port Tool, the registry, running calls side by side, and the built-in tools.
