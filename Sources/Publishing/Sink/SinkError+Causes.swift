import HoldfastCSRT
import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastPlatform
import HoldfastRTMP
import HoldfastRTSP

extension SinkError {
  /// `place` is the redacted address. A server that closes before it `hasAccepted` may refuse us.
  init(_ error: any Error, at place: String, hasAccepted: Bool = true) {
    switch error {
    case let error as SinkError: self = error
    case let error as ConnectionError: self.init(Self.kind(error, hasAccepted), "\(error)")
    case RTMPError.unsupported: self.init(.unsupported, "\(error)")
    case is RTMPError: self.init(.violated, "\(place): the server \(error)")
    case is RTSPError: self.init(.violated, "\(place): the server violates RTSP: \(error)")
    case is FFmpegError: self.init(.unsupported, "\(error)")
    default: self.init(.system, "\(place): \(error)")
    }
  }

  private static func kind(_ error: ConnectionError, _ hasAccepted: Bool) -> Kind {
    switch error.kind {
    case .unresolved: .unresolved
    case .unreachable: .unreachable
    case .timedOut: .timedOut
    case .certificate: .certificate
    case .tls: .violated
    case .closed: hasAccepted ? .closed : .closedBeforeAccepted
    case .stopped: .stopped
    case .system: .system
    }
  }

  init(_ refusal: RTMPRefusal, _ url: RTMPURL) {
    let status = refusal.status
    let code = status.hasKnownCode ? status.code : ServerWords.quoted(status.code, without: url.secrets)
    let texts = [code, ServerWords.quoted(status.description, without: url.secrets)]
    let answer = texts.filter { !$0.isEmpty }.joined(separator: ": ")
    let words = answer.isEmpty ? "no reason given" : answer
    switch refusal.reason {
    case .nameTaken: self.init(.nameTaken, "another publisher is using the name (\(words))")
    case .credentials: self.init(.refused, "the server denies access (\(words))")
    case .other: self.init(.refused, "the server refuses the publish request (\(words))")
    }
  }

  init(_ refusal: RTSPRefusal, _ url: RTSPURL) {
    let reason = ServerWords.quoted(refusal.reason, without: url.secrets)
    let answer = "\(refusal.method) was answered with \(refusal.status) \(reason)"
    switch refusal.kind {
    case .credentials where url.user == nil:
      self.init(.refused, "the server requires a user name and password: \(answer)")
    case .credentials: self.init(.refused, "the server rejects this user name or password: \(answer)")
    case .unencryptedPassword:
      self.init(
        .refused,
        "the server asks for the password without encryption, so it was not sent: use rtsps://, or --insecure-auth "
          + "to send it all the same (\(answer))")
    case .nameTaken: self.init(.nameTaken, "another publisher is using the name: \(answer)")
    case .transport:
      self.init(.unsupported, "the server accepts media neither over TCP nor over UDP: \(answer)")
    case .sessionLost: self.init(.closed, "the server has ended the session: \(answer)")
    case .unavailable: self.init(.closed, "the server failed: \(answer)")
    case .other: self.init(.refused, answer)
    }
  }

  init(rejection code: Int32, at place: String) {
    let words = String(cString: srt_rejectreason_str(code))
    let (kind, what): (Kind, String) =
      switch SRT_REJECT_REASON(rawValue: SRT_REJECT_REASON.RawValue(clamping: code)) {
      case SRT_REJ_TIMEOUT, SRT_REJ_UNKNOWN:
        (
          .timedOut,
          "no answer: no server is listening, UDP is blocked, the server ignores the stream, or its flow window is over "
            + "131072 packets"
        )
      case SRT_REJ_BADSECRET: (.refused, "the passphrase is wrong")
      case SRT_REJ_UNSECURE: (.refused, "one side has a passphrase and the other has none")
      case SRT_REJ_PEER: (.closedBeforeAccepted, "the server refuses the connection without giving a reason")
      case SRT_REJ_CLOSE: (.closed, "the server is closing")
      case SRT_REJ_BACKLOG, SRT_REJ_RESOURCE:
        (.unreachable, "the server can't accept another connection")
      case SRT_REJ_SYSTEM, SRT_REJ_IPE: (.system, "libsrt failed (\(words))")
      case SRT_REJ_ROGUE, SRT_REJ_VERSION, SRT_REJ_RDVCOOKIE, SRT_REJ_MESSAGEAPI, SRT_REJ_CONGESTION,
        SRT_REJ_FILTER, SRT_REJ_GROUP:
        (.violated, "the two sides are incompatible (\(words))")
      default: Self.serverRejection(code) ?? (.violated, "the connection failed (\(words))")
      }
    self.init(kind, "\(place): \(what)")
  }

  /// Rejection codes of servers: HTTP's status codes plus 1000.
  private static func serverRejection(_ code: Int32) -> (Kind, String)? {
    switch code {
    case SRT_REJX_CONFLICT, SRT_REJX_LOCKED: (.nameTaken, "the stream already has a publisher (\(code))")
    case SRT_REJX_UNAUTHORIZED, SRT_REJX_FORBIDDEN:
      (.refused, "the server denies access to the stream (\(code))")
    case SRT_REJX_NOTFOUND, SRT_REJX_HOSTNOTFOUND, SRT_REJX_FILEPATH:
      (.refused, "the server has no such stream (\(code))")
    case SRT_REJX_KEY_NOTSUP, SRT_REJX_BAD_REQUEST, SRT_REJX_BAD_MODE, SRT_REJX_UNACCEPTABLE,
      SRT_REJX_NOTSUP_MEDIA, SRT_REJX_UNIMPLEMENTED, SRT_REJX_VERSION:
      (.refused, "the server can't take such a stream (\(code))")
    case SRT_REJX_OVERLOAD, SRT_REJX_FAILED_DEPEND, SRT_REJX_ISE, SRT_REJX_GW, SRT_REJX_DOWN, SRT_REJX_NOROOM:
      (.unreachable, "the server can't accept the stream now (\(code))")
    // Codes of the server's own: it may mean a refusal as well as a taken name.
    case SRT_REJX_FALLBACK...:
      (.closedBeforeAccepted, "the server refuses the stream with a code of its own (\(code))")
    default: nil
    }
  }
}
