//! Small worlds, exhaustively.
