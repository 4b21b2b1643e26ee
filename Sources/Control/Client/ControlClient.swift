package import HoldfastMediaModel
internal import HoldfastPlatform

/// Asks a broadcast of this machine over its socket: one connection for each request.
package struct ControlClient: Sendable {
  package let path: String
  /// For all of it: to connect, to ask, and to be answered.
  package let timeout: MediaTime

  /// An event stream that says nothing for so long is dead: it sends comments.
  private static let silence = MediaTime.seconds(40)

  package init(path: String, timeout: MediaTime = .seconds(10)) {
    self.path = path
    self.timeout = timeout
  }

  package func ask(_ request: HTTPRequest) throws(ControlClientError) -> HTTPResponse {
    let deadline = MonotonicTime.now + timeout
    let connection = try connect(request.bytes(version: "1.1"), until: deadline)
    var reader = ResponseReader()
    while true {
      var piece: [UInt8] = []
      let isOver = try asked { () throws(SystemError) in
        try !connection.receive(into: &piece, until: deadline)
      }
      if let response = try reader.receive(piece) { return response }
      if isOver { throw ControlClientError(.strangeAnswer, "\(path): it hung up without an answer") }
    }
  }

  /// Reads events until `each` says that it is enough, or the broadcast's program ends; a refusal is what it answers.
  package func follow(
    _ request: HTTPRequest, each: (ControlEvent) -> Bool
  ) throws(ControlClientError) -> HTTPResponse? {
    // Without chunks: what comes is what there is.
    let connection = try connect(request.bytes(version: "1.0"), until: .now + timeout)
    var reader = EventReader()
    while true {
      var piece: [UInt8] = []
      let isOver = try asked { () throws(SystemError) in
        try !connection.receive(into: &piece, limit: 16 * 1024, until: .now + Self.silence)
      }
      for event in try reader.receive(piece) where !each(event) { return nil }
      if isOver { return reader.refusal }
    }
  }

  private func connect(
    _ request: [UInt8], until deadline: MonotonicTime
  ) throws(ControlClientError) -> UnixConnection {
    let connection = try asked { () throws(SystemError) in try UnixConnection(path, until: deadline) }
    guard connection.peer.mayServe else {
      throw ControlClientError(.notPermitted, "\(path): another user listens there")
    }
    try asked { () throws(SystemError) in try connection.send(request, until: deadline) }
    return connection
  }

  private func asked<Result: ~Copyable>(
    _ call: () throws(SystemError) -> Result
  ) throws(ControlClientError) -> Result {
    do throws(SystemError) { return try call() } catch { throw ControlClientError(error) }
  }
}

/// Why a broadcast could not be asked.
package struct ControlClientError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Nobody listens there.
    case notRunning
    /// It belongs to somebody else.
    case notPermitted
    case noAnswer
    /// What answers is no broadcast of ours, or is about to end.
    case strangeAnswer
    case system
  }

  package let kind: Kind
  package let what: String

  init(_ kind: Kind, _ what: String) {
    self.kind = kind
    self.what = what
  }

  fileprivate init(_ error: SystemError) {
    kind =
      if error.isNobodyThere {
        .notRunning
      } else if error.isNotPermitted {
        .notPermitted
      } else if error.isTimeOut {
        .noAnswer
      } else {
        error.isHangUp ? .strangeAnswer : .system
      }
    what = "\(error)"
  }
}

extension PeerCredentials {
  /// Anybody may answer root, as anybody's broadcast may be root's to ask.
  fileprivate var mayServe: Bool { user == Self.ownUser || user == 0 || Self.ownUser == 0 }
}
