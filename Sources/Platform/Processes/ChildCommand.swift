/// What a child process runs, and with what.
public struct ChildCommand: Hashable, Sendable {
  /// The program's path.
  public var program: String
  public var arguments: [String]
  public var environment: [String: String]
  /// How many bytes of the end of its output are kept.
  public var outputLimit = 4096
  /// It may go on when we have ended: what it says from then on, up to a megabyte, doesn't end it.
  public var mayOutliveUs = false
  /// Whatever it has started in its process group ends with it.
  public var leavesNobodyBehind = false

  public init(_ program: String, _ arguments: [String] = [], environment: [String: String]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Has the shell run `script`, in which `arguments` are `$1` and so on.
  public static func shell(_ script: String, _ arguments: [String], environment: [String: String])
    -> ChildCommand
  {
    ChildCommand("/bin/sh", ["-c", script, "sh"] + arguments, environment: environment)
  }
}
