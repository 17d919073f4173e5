//! Rules files of user and project, and skills, as sections of the prompt.
