/// A command that a test needs did not do its work.
struct CommandFailed: Error {
  let arguments: [String]
}
