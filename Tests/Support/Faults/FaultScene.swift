import Foundation
import HoldfastMediaModel
import HoldfastPlatform

/// A server, the path to it, and the fault that is injected into them.
final class FaultScene {
  private let fault: Fault
  private let application: String
  private let server: NginxRTMP
  private let proxy: FaultProxy?
  private let names: FakeNames?
  private static let name = "faulty"
  private static let host = "server.test"

  init(_ fault: Fault, application: String, in folder: ScratchFolder) throws {
    self.fault = fault
    self.application = fault == .wrongKey ? "auth" : application
    server = try NginxRTMP(in: folder)
    let target = fault == .wrongCertificate ? server.securePort : server.port
    proxy = fault.needsProxy ? try FaultProxy(to: target) : nil
    names = fault == .unresolved ? try FakeNames(in: folder, [Self.host: "127.0.0.1"]) : nil
  }

  var port: UInt16 { proxy?.port ?? server.port }

  var address: String {
    let scheme = fault == .wrongCertificate ? "rtmps" : "rtmp"
    let host = names == nil ? "127.0.0.1" : Self.host
    let key = fault == .wrongKey ? "?key=wrong" : ""
    return "\(scheme)://\(host):\(port)/\(application)/\(Self.name)\(key)"
  }

  var environment: [String: String] { names?.environment ?? [:] }
  var recording: String { server.recording(application, Self.name) }

  func attempts() throws -> Int {
    if let proxy { return try proxy.status().accepted }
    return server.publishes().count { $0.application == application && !$0.isAccepted }
  }

  /// Begins the fault; returns its start time, or a lower bound for it.
  func begin() throws -> MonotonicTime {
    let before = MonotonicTime.now
    switch fault {
    case .closed: try server.drop(application, Self.name)
    case .killed, .restartedTenTimes: server.kill()
    case .frozenBriefly, .frozen: server.freeze()
    case .blackHole: return try proxied(.blackHole)
    case .vanished: return try proxied(.vanish)
    case .reset: return try resetInChunk()
    case .throttled: return try proxied(.throttle(bytesPerSecond: bytesPerSecond() / 2))
    case .slowHandshake:
      _ = try proxied(.hold)
      return try proxied(.reset)
    case .refusedPort:
      _ = try proxied(.refuse)
      return try proxied(.reset)
    case .nameTaken: return try proxied(.orphan)
    case .unresolved:
      try names?.set([:])
      server.kill()
      try server.start()
    case .wrongKey, .wrongCertificate: break
    }
    return before
  }

  /// Ends the fault; returns its end time, or a lower bound for it.
  func end() throws -> MonotonicTime {
    let before = MonotonicTime.now
    switch fault {
    case .closed, .reset, .wrongKey, .wrongCertificate: break
    case .killed, .restartedTenTimes: try server.start()
    case .frozenBriefly, .frozen: server.thaw()
    case .blackHole, .vanished, .throttled, .slowHandshake, .refusedPort: _ = try proxied(.pass)
    case .nameTaken: _ = try proxied(.reap)
    case .unresolved: try names?.set([Self.host: "127.0.0.1"])
    }
    return before
  }

  private func proxied(_ command: FaultProxy.Command) throws -> MonotonicTime {
    try proxy?.perform(command) ?? .now
  }

  /// Cuts after a number of bytes that is unlikely to be a chunk boundary.
  private func resetInChunk() throws -> MonotonicTime {
    guard let proxy else { return .now }
    try proxy.perform(.cut(afterBytes: 4321, .reset))
    var moment: MonotonicTime?
    _ = try eventually {
      moment = try proxy.status().cutAt
      return moment != nil
    }
    return moment ?? .now
  }

  private func bytesPerSecond() throws -> Int {
    guard let proxy else { return 0 }
    let (before, begin) = (try proxy.status().bytesUp, MonotonicTime.now)
    usleep(1_000_000)
    let bytes = Double(try proxy.status().bytesUp - before)
    return Int(bytes / (MonotonicTime.now - begin).seconds)
  }
}
