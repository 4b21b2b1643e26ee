/// What a child process runs, and with what.
package struct ChildCommand: Hashable, Sendable {
  /// The program's path.
  package var program: String
  package var arguments: [String]
  package var environment: [String: String]
  /// How many bytes of the end of its output are kept.
  package var outputLimit = 4096
  /// It may go on when we have ended: what it says from then on, up to a megabyte, doesn't end it.
  package var mayOutliveUs = false
  /// Whatever it has started in its process group ends with it.
  package var leavesNobodyBehind = false

  package init(_ program: String, _ arguments: [String] = [], environment: [String: String]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Has the shell run `script`, in which `arguments` are `$1` and so on.
  package static func shell(_ script: String, _ arguments: [String], environment: [String: String])
    -> ChildCommand
  {
    ChildCommand("/bin/sh", ["-c", script, "sh"] + arguments, environment: environment)
  }
}
