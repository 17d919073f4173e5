//! SeaORM on SQLite: the storage ports.
