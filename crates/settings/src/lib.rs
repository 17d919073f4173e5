//! Layered settings: defaults, the user's, the project's, the environment's and the command line's.
