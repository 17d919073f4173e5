//! How full the window is: components, thresholds, pressure and the token meter.
