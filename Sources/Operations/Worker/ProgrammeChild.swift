import Glibc
import HoldfastControl
package import HoldfastHTTP
package import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastRecording
import HoldfastSession

/// The process that composes and publishes one job: `holdfast publish` with a configuration in a private file, as it
/// holds keys. It ends by itself when this process has ended or is frozen. One thread owns it.
package final class ProgrammeChild {
  package struct Settings: Sendable {
    package let hub: HTTPOrigin
    /// As it was given: `@FILE` or `env:NAME`.
    package let token: String?
    let caFile: String?
    /// Options of `publish`, for size, bitrate and the like.
    let options: [String]
    package let environment: [String: String]

    package init(
      hub: HTTPOrigin, token: String?, caFile: String?, options: [String], environment: [String: String]
    ) {
      (self.hub, self.token, self.caFile) = (hub, token, caFile)
      (self.options, self.environment) = (options, environment)
    }
  }

  private let process: ChildProcess
  private let pulse: StoppableThread
  private let name: String
  private let configuration: String
  private let environment: [String: String]
  private var hasAnswered = false

  /// In its environment: a worker has started it, and sends it a pulse.
  package static let pulseVariable = "_HOLDFAST_WORKER_PULSE"
  /// It ends after so long without a pulse: before the job's lease is over, four seconds after the worker's last report, and
  /// another worker may publish.
  package static let longestSilence = MediaTime.seconds(3)
  private static let statusTimeout = MediaTime.milliseconds(500)
  /// For a broadcast that ends in order.
  static let grace = MediaTime.seconds(20)

  init(_ job: WorkerHub.WaitingJob, _ grant: JobMachine.Grant, _ settings: Settings) throws(SystemError) {
    guard let folder = StateFolder.path(settings.environment) else {
      throw SystemError(operation: "find a folder for the job", code: 2)
    }
    name = Self.name(of: job.id)
    environment = settings.environment
    configuration = folder + "/programmes/\(name).json"
    try createDirectory(folder + "/programmes", permissions: 0o700)
    try replaceFile(configuration, by: Array(Self.file(job, grant, settings).description.utf8))
    var variables = settings.environment
    variables[Self.pulseVariable] = "yes"
    var command = ChildCommand(
      try ownProgram(), ["publish", "--config", configuration] + settings.options, environment: variables)
    command.hasInput = true
    process = try ChildProcess(command)
    pulse = try ParentPulse.start(for: process)
  }

  /// Of its broadcast, its journals and its control socket.
  static func name(of job: String) -> String { "programme-\(job)" }

  static func file(
    _ job: WorkerHub.WaitingJob, _ grant: JobMachine.Grant, _ settings: Settings
  ) -> JSONValue {
    let stage = JSONValue.text("stage:\(settings.hub)/\(job.session.percentEncoded)")
    return .compact([
      ("name", .text(name(of: job.id))), ("as", "Programme"), ("video", stage), ("audio", stage),
      ("to", .list(grant.outputs.map(JSONValue.text))),
      ("publishType", .text(grant.publishType.rawValue)),
      ("afterCrash", .text(AfterCrash.resume.rawValue)), ("sessionToken", JSONValue(settings.token)),
      ("hubCa", JSONValue(settings.caFile)), ("insecureLan", .bool(settings.hub.isInsecureLAN)),
    ])
  }

  /// Waits until it has ended, `deadline`, or `stop`; returns its last line when it has ended.
  func wait(until deadline: MonotonicTime, or stop: Wakeup) -> String? {
    guard case .ended(let ending)? = try? process.wait(until: deadline, or: stop.descriptor) else {
      return nil
    }
    return process.lastLine ?? "\(ending)"
  }

  func report() -> Session.WorkReport {
    let status = status
    if status != nil, !hasAnswered {
      hasAnswered = true
      // It has been read; a worker that is killed leaves no keys behind.
      removeFile(configuration)
    }
    return Session.WorkReport(status: status, hasAnswered: hasAnswered)
  }

  private var status: JSONValue? {
    guard let socket = ControlSockets.socket(of: name, environment: environment) else { return nil }
    let response = try? ControlClient(path: socket, timeout: Self.statusTimeout).send(.status)
    return response?.isSuccess == true ? response?.json : nil
  }

  /// Lets the broadcast begin to end in order.
  func askToEnd() { process.signal(SIGTERM) }

  /// Ends the broadcast in order, within a time.
  func end() {
    _ = try? process.end(grace: Self.grace)
    pulse.stop()
    removeFile(configuration)
  }
}
