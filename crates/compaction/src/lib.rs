//! How the view shrinks: strategies, their chain, the plan and its verification.
