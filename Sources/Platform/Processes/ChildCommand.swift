/// The program, arguments and environment of a child process.
package struct ChildCommand: Hashable, Sendable {
  package var program: String
  package var arguments: [String]
  package var environment: [String: String]
  /// How many bytes of the output's end are kept.
  package var outputLimit = 4096
  /// Keeps the child's standard input open, which is empty otherwise.
  package var hasInput = false
  /// Allows the child to outlive this process; the pipe then buffers up to 1 MiB of output.
  package var mayOutliveParent = false
  /// Kills the rest of the process group when the child ends.
  package var killsGroupAtEnd = false
  /// Nil for no limits beside this process's own.
  package var confinement: FolderConfinement?

  package init(_ program: String, _ arguments: [String] = [], environment: [String: String]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Runs `script` in a shell, with `arguments` as `$1` and following.
  package static func shell(
    _ script: String, _ arguments: [String], environment: [String: String]
  ) -> ChildCommand {
    ChildCommand("/bin/sh", ["-c", script, "sh"] + arguments, environment: environment)
  }
}
