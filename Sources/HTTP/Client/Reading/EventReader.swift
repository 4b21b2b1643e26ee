package import HoldfastMediaModel

/// Reads the response to an event request: a head, then events until the end, however the bytes arrive.
package struct EventReader {
  private var pieces = ResponsePieceReader()
  private var state = State.head
  private var parser = EventParser()

  private enum State {
    case head
    case events
    case refused(ResponseHead, body: [UInt8])
  }

  package init() {}

  package mutating func receive(_ bytes: [UInt8]) throws(HTTPClientError) -> [ServerSentEvent] {
    pieces.receive(bytes)
    var events: [ServerSentEvent] = []
    while let piece = try pieces.next() {
      switch (piece, state) {
      case (.head(let head), _):
        if head.status == 200, !head.isEventStream { throw .unreadable("it is not an event stream") }
        state = head.status == 200 ? .events : .refused(head, body: [])
      case (.body(let bytes), .refused(let head, let body)):
        guard body.count + bytes.count <= ResponseReader.bodyLimit else {
          throw .unreadable("it is too long")
        }
        state = .refused(head, body: body + bytes)
      case (.body(let bytes), .events): events += try parser.receive(bytes)
      case (.body, .head), (.end, _): break
      }
    }
    return events
  }

  /// The connection has ended.
  package mutating func endInput() { _ = pieces.endInput() }

  /// The id to resume after.
  package var lastID: String? { parser.lastID }

  /// How long the server asks to wait before connecting again; nil if it does not.
  package var retry: MediaTime? { parser.retry }

  /// Whether the head has come, and promises events.
  package var isStream: Bool {
    if case .events = state { true } else { false }
  }

  /// Whether the response is whole.
  package var isOver: Bool { pieces.isOver }

  /// The response received in place of events, as far as it has come.
  package var refusal: HTTPResponse? {
    switch state {
    case .head, .events: nil
    case .refused(let head, let body): head.response(body)
    }
  }
}
