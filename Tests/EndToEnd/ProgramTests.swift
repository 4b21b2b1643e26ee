import TestTraits
import Testing

/// The program as its user runs it.
@Suite(.realTime) enum ProgramTests {}
