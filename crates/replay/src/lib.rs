//! Recorded sessions of other agents, run through the real engine.
