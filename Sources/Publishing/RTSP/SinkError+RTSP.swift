internal import HoldfastFFmpeg
internal import HoldfastLifecycle
internal import HoldfastPlatform
internal import HoldfastRTSP

extension SinkError {
  /// A request that was not granted; `url` is what it was about.
  init(_ refusal: RTSPRefusal, url: RTSPURL) {
    let answer =
      "\(refusal.method) was answered with \(refusal.status) \(url.hidingSecrets(in: refusal.reason))"
    switch refusal.kind {
    case .credentials where url.user == nil:
      self.init(.refused, "the server asks for a user and a password: \(answer)")
    case .credentials: self.init(.refused, "the server refuses this user or password: \(answer)")
    case .nameTaken: self.init(.nameTaken, "somebody else publishes under this name: \(answer)")
    case .transport:
      self.init(.unsupported, "the server takes media neither over TCP nor over UDP: \(answer)")
    case .sessionLost: self.init(.closed, "the server has ended the session: \(answer)")
    case .unavailable: self.init(.closed, "the server is in trouble: \(answer)")
    case .other: self.init(.refused, answer)
    }
  }

  init(_ error: RTSPError) {
    self.init(.violated, "the server does not speak RTSP as it should: \(error.what)")
  }

  init(packing error: FFmpegError) {
    self.init(.unsupported, "\(error)")
  }
}

extension RTSPURL {
  fileprivate func hidingSecrets(in text: String) -> String {
    SinkError.quoted(text, without: [password, path.split(separator: "/").last.map(String.init), path])
  }
}
