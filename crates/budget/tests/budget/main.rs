//! What the window, its thresholds, the meter and the estimators decide.

mod estimators;
mod log_line;
mod meter;
mod short_report;
mod threshold;
mod thresholds;
mod window;
