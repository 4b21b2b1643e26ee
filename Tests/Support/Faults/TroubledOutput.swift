internal import Foundation

/// A broadcast whose recording is fine and whose only output has a trouble that lasts.
package final class TroubledOutput {
  package enum Trouble: String, CaseIterable, Sendable {
    /// It was publishing; now its server takes connections and says nothing.
    case connecting
    /// It was publishing; now its server can't be reached.
    case waiting
    /// It has the wrong key, from the beginning.
    case refused
  }

  package let folder: ScratchFolder
  package let server: NginxRTMP
  package let subject: HoldfastSubject
  private let proxy: FaultProxy

  private static let name = "porch"

  /// On air for a second, and in trouble since.
  package init(_ trouble: Trouble) throws {
    folder = try ScratchFolder()
    server = try NginxRTMP(in: folder)
    proxy = try FaultProxy(to: server.port)
    let tail = FLVTail(path: server.recording("typed", Self.name))
    let way = trouble == .refused ? "auth/\(Self.name)?key=wrong" : "typed/\(Self.name)"
    subject = try HoldfastSubject(to: ["rtmp://127.0.0.1:\(proxy.port)/\(way)"], options: [], in: folder)
    switch trouble {
    case .connecting, .waiting:
      guard tail.hasPictures(moreThan: 30) else { throw TestFailure(subject.said) }
      try proxy.make(trouble == .connecting ? .hold : .refuse)
      try proxy.make(.reset)
    case .refused:
      guard subject.reports("live") else { throw TestFailure(subject.said) }
    }
    guard becomes(trouble.rawValue) else { throw TestFailure(subject.said) }
  }

  /// Waits until the output is told to be so; false when that takes too long.
  package func becomes(_ state: String) -> Bool { subject.reports(state, ofOutputTo: proxy.port) }
}
