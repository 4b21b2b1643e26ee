package import HoldfastMediaModel
internal import HoldfastPlatform

/// What is run for each finished recording, and how patiently.
package struct SegmentHookSettings: Sendable {
  /// For the shell.
  package let command: String
  /// The broadcaster's.
  package let name: String
  package let environment: [String: String]
  /// The file that remembers until the next start what has not been done yet; nil to forget it.
  package var ledger: String?
  /// It is tried again after each of these.
  package var delays: [MediaTime] = [.seconds(1), .seconds(10), .seconds(60)]
  /// One that takes longer is ended.
  package var limit = MediaTime.seconds(3600)
  package var longestQueue = 10_000

  /// `environment` is our own.
  package init(_ command: String, name: String, environment: [String: String]) {
    self.command = command
    self.name = name
    self.environment = Self.harmless(environment)
  }

  /// Without what is meant for us alone: our settings, among which are keys, and what systemd wants to hear from us.
  private static func harmless(_ environment: [String: String]) -> [String: String] {
    let ours: Set = [
      "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]
    return environment.filter { !$0.key.hasPrefix("HOLDFAST_") && !ours.contains($0.key) }
  }

  func childCommand(for job: SegmentHook.Job) -> ChildCommand {
    let path = absolutePath(job.path)
    let variables = [
      "HOLDFAST_RECORDING": path, "HOLDFAST_NAME": name, "HOLDFAST_BROADCAST": job.broadcast,
    ]
    var child = ChildCommand.shell(command, [path], environment: environment.merging(variables) { $1 })
    child.mayOutliveUs = true
    return child
  }
}
