package import HoldfastMediaModel
package import HoldfastPlatform

/// The command for finished recordings, and its limits.
package struct SegmentHookSettings: Sendable {
  package let command: String
  package let name: String
  package let environment: [String: String]
  /// The folders that the command may open; nil for no limits.
  package var confinement: FolderConfinement?
  /// File for unfinished jobs; nil to forget them at exit.
  package var ledger: String?
  /// Delays before further attempts.
  package var delays: [MediaTime] = [.seconds(1), .seconds(10), .seconds(60)]
  package var limit = MediaTime.seconds(3600)
  package var maxQueue = 10_000

  /// `environment` is that of this process.
  package init(_ command: String, name: String, environment: [String: String]) {
    self.command = command
    self.name = name
    self.environment = environment.forChild
  }

  func childCommand(for job: SegmentHook.Job) -> ChildCommand {
    var variables = [
      "HOLDFAST_RECORDING": job.path, "HOLDFAST_NAME": name, "HOLDFAST_BROADCAST": job.broadcast,
    ]
    if job.hasBegun { variables["HOLDFAST_REPEATED"] = "1" }
    var child = ChildCommand.shell(command, [job.path], environment: environment.merging(variables) { $1 })
    child.mayOutliveParent = true
    child.confinement = confinement
    return child
  }
}
