import HoldfastSession

/// A session and who belongs to it.
final class SimulatedSession {
  let name: Session.Name
  var boxes: [SimulatedBox] = []
  var persons: [SimulatedPerson] = []
  let hasReadingPersons: Bool

  init(_ name: Session.Name, hasReadingPersons: Bool) {
    self.name = name
    self.hasReadingPersons = hasReadingPersons
  }

  /// What the host has told everybody.
  func password(_ monitor: Monitor) -> String? {
    monitor.truth(of: name).session?.meeting?.password.map { String($0.text.dropFirst(5)) }
  }
}
