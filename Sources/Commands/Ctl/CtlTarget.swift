import HoldfastControl
import HoldfastMediaModel

/// The broadcast that `ctl` addresses.
struct CtlTarget: Hashable, Sendable {
  /// Nil for the only running one.
  let name: String?
  private let environment: [String: String]

  init(flag: String?, environment: [String: String]) throws(Refusal) {
    let variable = variablePrefix + "NAME"
    name = flag ?? environment[variable]
    self.environment = environment
    guard let name, let problem = InvalidValue.ofBroadcast(named: name) else { return }
    let subject = flag == nil ? "\(variable)=" : "--name "
    throw Refusal(flag == nil ? .configuration : .usage, subject + shown(name), problem)
  }

  func find() throws(Refusal) -> ControlSockets.Running {
    if let name, let path = ControlSockets.socket(of: name, environment: environment) {
      return ControlSockets.Running(name: name, path: path)
    }
    return try choose(among: ControlSockets.running(environment: environment))
  }

  func choose(among running: [ControlSockets.Running]) throws(Refusal) -> ControlSockets.Running {
    let names = running.map(\.name)
    if let name {
      guard let found = running.first(where: { $0.name == name }) else {
        throw Self.notRunning(name, running: names)
      }
      return found
    }
    guard let first = running.first else {
      throw Refusal(.gaveUp, "ctl", "no broadcast is running", "start one with holdfast publish")
    }
    guard running.count == 1 else {
      throw Refusal(
        .usage, "ctl", "several broadcasts are running: \(names.joined(separator: ", "))",
        "choose one with --name")
    }
    return first
  }

  static func notRunning(_ name: String, running: [String]) -> Refusal {
    let hint =
      running.isEmpty
      ? "start it with holdfast publish --name \(name)" : "running: \(running.joined(separator: ", "))"
    return Refusal(.gaveUp, name, "no broadcast of this name is running", hint)
  }
}
