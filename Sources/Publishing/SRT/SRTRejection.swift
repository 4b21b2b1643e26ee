internal import HoldfastCSRT
internal import HoldfastLifecycle

/// Why an SRT connection did not come about, as the listener or the library says it.
struct SRTRejection: Hashable {
  let code: Int32

  init(_ code: Int32) {
    self.code = code
  }

  /// What that means for an output; `place` is the address as it may be shown.
  func error(at place: String) -> SinkError {
    switch SRT_REJECT_REASON(rawValue: SRT_REJECT_REASON.RawValue(clamping: code)) {
    case SRT_REJ_TIMEOUT, SRT_REJ_UNKNOWN: return Self.noAnswer(at: place)
    case SRT_REJ_BADSECRET: return SinkError(.refused, "\(place): the passphrase is wrong")
    case SRT_REJ_UNSECURE:
      return SinkError(.refused, "\(place): one side has a passphrase and the other has none")
    case SRT_REJ_PEER:
      return SinkError(.closedBeforeAccepted, "\(place): the server refuses the connection without a reason")
    case SRT_REJ_CLOSE: return SinkError(.closed, "\(place): the server is closing")
    case SRT_REJ_BACKLOG, SRT_REJ_RESOURCE:
      return SinkError(.unreachable, "\(place): the server has no room for another connection")
    case SRT_REJ_SYSTEM, SRT_REJ_IPE: return SinkError(.system, "\(place): libsrt failed (\(words))")
    case SRT_REJ_ROGUE, SRT_REJ_VERSION, SRT_REJ_RDVCOOKIE, SRT_REJ_MESSAGEAPI, SRT_REJ_CONGESTION,
      SRT_REJ_FILTER, SRT_REJ_GROUP:
      return SinkError(.violated, "\(place): the two sides do not fit together (\(words))")
    default: return toldByServer(at: place)
    }
  }

  /// The codes that servers give; they resemble those of HTTP, a thousand up.
  private func toldByServer(at place: String) -> SinkError {
    switch code {
    case SRT_REJX_CONFLICT, SRT_REJX_LOCKED:
      SinkError(.nameTaken, "\(place): the stream has a publisher already (\(code))")
    case SRT_REJX_UNAUTHORIZED, SRT_REJX_FORBIDDEN:
      SinkError(.refused, "\(place): the server denies access to the stream (\(code))")
    case SRT_REJX_NOTFOUND, SRT_REJX_HOSTNOTFOUND, SRT_REJX_FILEPATH:
      SinkError(.refused, "\(place): the server knows no such stream (\(code))")
    case SRT_REJX_OVERLOAD, SRT_REJX_ISE, SRT_REJX_GW, SRT_REJX_DOWN, SRT_REJX_NOROOM:
      SinkError(.unreachable, "\(place): the server can't take the stream now (\(code))")
    case SRT_REJX_FALLBACK...:
      SinkError(.refused, "\(place): the server refuses the stream (\(code))")
    default: SinkError(.violated, "\(place): the connection did not come about (\(words))")
    }
  }

  static func noAnswer(at place: String) -> SinkError {
    SinkError(
      .timedOut,
      "\(place): no answer: nobody listens there, UDP is blocked on the way, or the server ignores the stream"
    )
  }

  private var words: String { String(cString: srt_rejectreason_str(code)) }
}
