package import HoldfastHTTP
package import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastPlatform

/// A client of a broadcast's control socket, with one connection per request.
package struct ControlClient: Sendable {
  package let path: String
  /// For a whole request: connecting, sending and receiving.
  package let timeout: MediaTime

  /// An event stream silent for this long is dead, as the server sends comments.
  private static let streamTimeout = MediaTime.seconds(40)

  package init(path: String, timeout: MediaTime = .seconds(10)) {
    self.path = path
    self.timeout = timeout
  }

  package func send(_ request: HTTPRequest) throws(HTTPClientError) -> HTTPResponse {
    let deadline = MonotonicTime.now + timeout
    let connection = try connect(request.bytes(), until: deadline)
    var reader = ResponseReader()
    while true {
      var piece: [UInt8] = []
      let isOver = try mapError(!connection.receive(into: &piece, until: deadline), HTTPClientError.init)
      if let response = try reader.receive(piece) { return response }
      if isOver {
        throw HTTPClientError(.invalidResponse, "\(path): connection closed without a response")
      }
    }
  }

  /// Reads events until the program ends; returns the response of a refused request.
  package func follow(
    _ request: HTTPRequest, each: (ServerSentEvent) -> Void
  ) throws(HTTPClientError) -> HTTPResponse? {
    let connection = try connect(request.bytes(), until: .now + timeout)
    var reader = EventReader()
    while true {
      var piece: [UInt8] = []
      let isOver = try mapError(
        !connection.receive(into: &piece, limit: 16 * 1024, until: .now + Self.streamTimeout),
        HTTPClientError.init)
      for event in try reader.receive(piece) { each(event) }
      if isOver || reader.isOver { return reader.refusal }
    }
  }

  private func connect(
    _ request: [UInt8], until deadline: MonotonicTime
  ) throws(HTTPClientError) -> UnixConnection {
    let connection = try mapError(UnixConnection(path, until: deadline), HTTPClientError.init)
    guard SocketFolder(of: path)?.mayServe(connection.peer) == true else {
      throw HTTPClientError(.notPermitted, "\(path): the socket belongs to another user")
    }
    try mapError(connection.send(request, until: deadline), HTTPClientError.init)
    return connection
  }
}

extension HTTPClientError {
  fileprivate init(_ error: SystemError) {
    let kind: Kind =
      if error.isNotListening {
        .cannotConnect
      } else if error.isNotPermitted {
        .notPermitted
      } else if error.isTimeOut {
        .timedOut
      } else {
        error.isDisconnected ? .invalidResponse : .system
      }
    self.init(kind, "\(error)")
  }
}

extension HTTPRequest {
  package static let status = HTTPRequest("GET", ControlAPI.statusPath)

  package static func command(_ command: Lifecycle.Command) -> HTTPRequest {
    HTTPRequest("POST", ControlAPI.path(of: command))
  }
}
