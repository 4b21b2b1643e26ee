internal import HoldfastLifecycle
internal import HoldfastPlatform

extension SinkError {
  init(_ error: ConnectionError) {
    let what = error.hint.map { "\(error.what); \($0)" } ?? error.what
    switch error.kind {
    case .unresolved: self.init(.unresolved, what)
    case .unreachable: self.init(.unreachable, what)
    case .timedOut: self.init(.timedOut, what)
    case .certificate: self.init(.certificate, what)
    case .tls: self.init(.violated, what)
    case .closed: self.init(.closed, what)
    case .stopped: self.init(.stopped, what)
    case .system: self.init(.system, what)
    }
  }
}
