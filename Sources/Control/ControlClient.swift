public import MediaModel
internal import Platform

/// Asks a broadcast of this machine over its socket: one connection for each request.
public struct ControlClient: Sendable {
  public let path: String
  /// For all of it: to connect, to ask, and to be answered.
  public let timeout: MediaTime

  public init(path: String, timeout: MediaTime = .seconds(5)) {
    self.path = path
    self.timeout = timeout
  }

  public func status() throws(ControlClientError) -> ControlAnswer {
    try ask("GET", ControlAPI.statusPath)
  }

  public func send(_ command: ControlCommand) throws(ControlClientError) -> ControlAnswer {
    try ask("POST", ControlAPI.path(of: command))
  }

  private func ask(_ method: String, _ target: String) throws(ControlClientError) -> ControlAnswer {
    let request =
      "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      + (method == "POST" ? "Content-Length: 0\r\n" : "") + "\r\n"
    let deadline = MonotonicTime.now + timeout
    let connection = try asked { () throws(SystemError) in try UnixConnection(path, until: deadline) }
    guard connection.peer.mayServe else {
      throw ControlClientError(.notPermitted, "\(path): another user listens there")
    }
    try asked { () throws(SystemError) in try connection.send(Array(request.utf8), until: deadline) }
    var reader = AnswerReader()
    while true {
      var piece: [UInt8] = []
      let isOver = try asked { () throws(SystemError) in
        try !connection.receive(into: &piece, until: deadline)
      }
      if let answer = try reader.receive(piece) { return answer }
      if isOver { throw ControlClientError(.strangeAnswer, "\(path): it hung up without an answer") }
    }
  }

  private func asked<Result: ~Copyable>(
    _ call: () throws(SystemError) -> Result
  ) throws(ControlClientError) -> Result {
    do throws(SystemError) {
      return try call()
    } catch {
      throw ControlClientError(error)
    }
  }
}

extension PeerCredentials {
  /// Anybody may answer root, as anybody's broadcast may be root's to ask.
  fileprivate var mayServe: Bool { user == Self.ownUser || user == 0 || Self.ownUser == 0 }
}
