import Testing

/// The program as its user runs it. One at a time: each of them works in real time.
@Suite(.serialized) enum ProgramTests {}
