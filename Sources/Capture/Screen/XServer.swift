import HoldfastMediaModel
import HoldfastPlatform

/// An X server as it introduces itself. It is asked before libxcb connects, because that waits without a limit and writes
/// refusals to standard error.
enum XServer {
  enum Failure: Error, Hashable {
    case notThere
    /// Its socket can't be opened.
    case notPermitted
    case notResponding
    case refused(String)
    case notX
    case other(String)
  }

  /// Longer replies are not an X server's.
  private static let maxReply = 1 << 20
  private static let pieceSize = 1 << 16

  static func screens(
    of display: XDisplayName, until deadline: MonotonicTime
  ) throws(Failure) -> [XSetup.Screen] {
    let reply =
      if let host = display.host {
        try remoteReply(of: display, at: host, until: deadline)
      } else {
        try localReply(of: display, until: deadline)
      }
    switch XSetup.reply(in: reply) {
    case .accepted(let screens): return screens
    case .refused(let reason): throw .refused(reason)
    case .incomplete, .malformed: throw .notX
    }
  }

  private static func localReply(
    of display: XDisplayName, until deadline: MonotonicTime
  ) throws(Failure) -> [UInt8] {
    let cookie = XAuthority.ofSession().cookie(ofDisplay: display.number, on: localHostName())
    do throws(SystemError) {
      let connection = try connect(to: "/tmp/.X11-unix/X\(display.number)", until: deadline)
      try connection.send(XSetup.request(cookie: cookie), until: deadline)
      var bytes: [UInt8] = []
      while XSetup.reply(in: bytes) == .incomplete, bytes.count < maxReply {
        guard try connection.receive(into: &bytes, limit: pieceSize, until: deadline) else { break }
      }
      return bytes
    } catch {
      if error.isNotListening { throw .notThere }
      if error.isTimeOut { throw .notResponding }
      throw error.isNotPermitted ? .notPermitted : .other("\(error)")
    }
  }

  /// A service with a /tmp of its own reaches the abstract name only.
  private static func connect(
    to path: String, until deadline: MonotonicTime
  ) throws(SystemError) -> UnixConnection {
    if let abstract = UnixSocketAddress("@" + path) {
      do throws(SystemError) {
        return try UnixConnection(abstract, until: deadline)
      } catch {
        if !error.isNotListening { throw error }
      }
    }
    return try UnixConnection(path, until: deadline)
  }

  private static func remoteReply(
    of display: XDisplayName, at host: String, until deadline: MonotonicTime
  ) throws(Failure) -> [UInt8] {
    let stop = try mapError(Wakeup()) { (error: SystemError) in Failure.other("\(error)") }
    do throws(ConnectionError) {
      var connection = try Connection(host: host, port: display.port, tls: nil, until: deadline, stop: stop)
      // ssh's forwarded displays are local to authority files.
      let machine = connection.isLoopback ? localHostName() : nil
      let cookie = XAuthority.ofSession().cookie(ofDisplay: display.number, on: machine)
      _ = try connection.write(XSetup.request(cookie: cookie).span)
      var bytes: [UInt8] = []
      while XSetup.reply(in: bytes) == .incomplete, bytes.count < maxReply {
        switch try connection.read(into: &bytes, limit: pieceSize) {
        case .bytes: continue
        case .ended: return bytes
        case .nothingYet:
          if try connection.wait(until: deadline).isEmpty { throw ConnectionError(.timedOut, host) }
        }
      }
      return bytes
    } catch {
      throw error.kind == .timedOut ? .notResponding : .other("\(error)")
    }
  }
}
