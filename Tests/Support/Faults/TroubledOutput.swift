import Foundation

/// A broadcast with a working recording and a permanently failing output.
package final class TroubledOutput {
  package enum Trouble: String, CaseIterable, Sendable {
    /// The server accepts connections and does not respond, after a good start.
    case connecting
    /// The server is unreachable, after a good start.
    case waiting
    /// The key is wrong from the start.
    case wrongKey
  }

  package let folder = ScratchFolder()
  package let server: NginxRTMP
  package let subject: HoldfastSubject
  private let proxy: FaultProxy
  private let trouble: Trouble

  private static let name = "porch"

  /// Publishes for a second before the fault, unless the fault is there from the start.
  package init(_ trouble: Trouble) throws {
    self.trouble = trouble
    server = try NginxRTMP(in: folder)
    proxy = try FaultProxy(to: server.port)
    let tail = FLVTail(path: server.recording("typed", Self.name))
    let way = trouble == .wrongKey ? "auth/\(Self.name)?key=wrong" : "typed/\(Self.name)"
    subject = try HoldfastSubject(to: ["rtmp://127.0.0.1:\(proxy.port)/\(way)"], options: [], in: folder)
    switch trouble {
    case .connecting, .waiting:
      guard tail.hasPictures(moreThan: 30) else { throw TestFailure(subject.log) }
      try proxy.perform(trouble == .connecting ? .hold : .refuse)
      try proxy.perform(.reset)
    case .wrongKey: guard subject.reports("live") else { throw TestFailure(subject.log) }
    }
    // What fails again for another reason is not reported anew.
    guard becomes("waiting") else { throw TestFailure(subject.log) }
  }

  /// Whether a later broadcast finds a wrong key, too.
  package var isTroubledAgain: Bool { trouble != .wrongKey || subject.reports("output", "waiting", times: 2) }

  package func becomes(_ state: String) -> Bool { subject.reports(state, ofOutputTo: proxy.port) }
}
