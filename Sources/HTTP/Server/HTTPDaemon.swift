import Glibc
import HoldfastCMicroHTTPD
import HoldfastMediaModel
import HoldfastPlatform

/// A certificate and its key as C strings, which libmicrohttpd uses until the server ends.
final class HTTPIdentity {
  let certificate: UnsafeMutablePointer<CChar>
  let key: UnsafeMutablePointer<CChar>

  init(_ identity: TLSIdentity) {
    certificate = strdup(identity.certificate)
    key = strdup(identity.key)
  }

  deinit {
    free(certificate)
    memset(key, 0, strlen(key))
    free(key)
  }
}

/// libmicrohttpd on a listening socket, without a thread of its own.
final class HTTPDaemon: @unchecked Sendable {  // after it is made, one thread uses it: the server's
  private let service: HTTPService
  private let identity: HTTPIdentity?
  private var raw: OpaquePointer?
  /// libmicrohttpd does not always report pending work of connections that were suspended.
  private var hasMore = false
  /// Another daemon accepts the connections.
  private var isRetired = false

  /// Connections beyond the limit: one that is displaced exists for a moment longer.
  private static let leaving = 32

  /// Takes ownership of `socket`, which already listens.
  init(listeningOn socket: Int32, identity: HTTPIdentity? = nil, service: HTTPService) throws(SystemError) {
    self.service = service
    self.identity = identity
    var callbacks = cmhd_callbacks()
    callbacks.answer = Self.answer
    callbacks.completed = Self.completed
    callbacks.connected = Self.connected
    callbacks.unescape = Self.unescape
    callbacks.asked = Self.asked
    callbacks.context = Unmanaged.passUnretained(service).toOpaque()
    var connections = service.limits.connections
    if service.filtersConnections {
      callbacks.accepts = Self.accepts
      connections += Self.leaving
    }
    raw = cmhd_start(
      socket, UInt32(clamping: connections), service.limits.headSize, identity?.certificate, identity?.key,
      &callbacks)
    guard raw != nil else {
      let error = SystemError.last("MHD_start_daemon")
      close(socket)
      throw error
    }
  }

  deinit { stop() }

  /// For `poll`: readable when there is work.
  var descriptor: Int32 { cmhd_wakeup(raw) }

  /// Takes the place of a daemon that keeps its connections for a while.
  func follow(_ predecessor: HTTPDaemon) { service.follow(predecessor.service) }

  func serve(_ signals: HTTPLoop.Signals) {
    service.poll(at: .now, signals)
    let steps = service.steps
    var before: Int
    repeat {
      before = service.connections.count
      MHD_run(raw)
      // A full server accepts connections again only in the next run.
    } while service.connections.count < before
    if isRetired { service.connections.endIdle() } else { service.endOverdue(at: .now) }
    hasMore = service.steps != steps
  }

  /// When to serve even if the descriptor is not readable.
  var deadline: MonotonicTime {
    if hasMore { return .now }
    var milliseconds: UInt64 = 0
    if MHD_get_timeout(raw, &milliseconds) == cmhd_YES, milliseconds == 0 { return .now }
    return service.nextDeadline ?? .now + .seconds(3600)
  }

  var isBusy: Bool { service.connections.areBusy }

  func finishStreams() {
    service.finishStreams()
    hasMore = true
  }

  /// Accepts no more connections, ends the streams and answers the requests that have arrived.
  func retire() {
    guard let raw else { return }
    isRetired = true
    // libmicrohttpd no longer closes the listening socket.
    close(MHD_quiesce_daemon(raw))
    service.retire()
    hasMore = true
  }

  /// Call `finishStreams` first.
  func stop() {
    guard let raw else { return }
    // A suspended connection would prevent the stop; the next run resumes those that were.
    service.finishAll()
    MHD_run(raw)
    MHD_stop_daemon(raw)
    self.raw = nil
  }

  // MARK: libmicrohttpd callbacks

  private static func service(_ context: UnsafeMutableRawPointer?) -> HTTPService? {
    context.map { Unmanaged<HTTPService>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let accepts: MHD_AcceptPolicyCallback = { context, address, length in
    let bytes = UnsafeRawBufferPointer(start: address, count: Int(length))
    guard let service = service(context), let address = SocketAddress(bytes: bytes) else { return cmhd_NO }
    return service.accepts(address) ? cmhd_YES : cmhd_NO
  }

  private static let connected: MHD_NotifyConnectionCallback = { context, connection, _, event in
    guard let service = service(context), let connection else { return }
    if event == cmhd_STARTED {
      service.connected(connection)
    } else {
      service.disconnected(connection)
    }
  }

  /// Called with a request's first line; returns the context of the request.
  private static let asked:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
      UnsafeMutableRawPointer? = { _, target, _ in
        Unmanaged.passRetained(HTTPExchange(target: target.map(wholeTarget) ?? "")).toOpaque()
      }

  /// Empty, an invalid path, if the target contains a zero byte: no version follows its end then.
  private static func wholeTarget(_ target: UnsafePointer<CChar>) -> String {
    strncmp(target + strlen(target) + 1, "HTTP/", 5) == 0 ? String(cString: target) : ""
  }

  private static let answer: MHD_AccessHandlerCallback = {
    context, connection, _, method, _, upload, uploadSize, slot in
    guard let service = service(context), let connection, let method, let uploadSize,
      let known = slot?.pointee
    else { return cmhd_NO }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    guard exchange.hasBegun else {
      let refusal = service.began(
        exchange, on: connection, method: String(cString: method), headers: headers(of: connection))
      return refusal.map { $0.queue(on: connection, of: service) } ?? cmhd_YES
    }
    guard uploadSize.pointee > 0 else {
      switch service.answer(to: exchange, on: connection) {
      case .response(let response): return response.queue(on: connection, of: service)
      case .later: return cmhd_YES
      case .none: return cmhd_NO
      }
    }
    exchange.append(
      UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), limit: service.limits.bodySize)
    uploadSize.pointee = 0
    return cmhd_YES
  }

  private final class Headers {
    var all: [RequestHead.Header] = []
  }

  private static func headers(of connection: OpaquePointer) -> [RequestHead.Header] {
    let headers = Headers()
    MHD_get_connection_values(
      connection, cmhd_HEADER,
      { context, _, name, value in
        guard let context, let name else { return cmhd_NO }
        Unmanaged<Headers>.fromOpaque(context).takeUnretainedValue().all.append(
          .init(name: String(cString: name), value: value.map { String(cString: $0) } ?? ""))
        return cmhd_YES
      }, Unmanaged.passUnretained(headers).toOpaque())
    return withExtendedLifetime(headers) { headers.all }
  }

  private static let completed: MHD_RequestCompletedCallback = { context, connection, slot, _ in
    if let known = slot?.pointee { Unmanaged<HTTPExchange>.fromOpaque(known).release() }
    slot?.pointee = nil
    if let service = service(context), let connection { service.finished(connection) }
  }

  /// Changes nothing: no path of ours needs an escape, so none can bypass a rule.
  private static let unescape:
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
      _, _, text in text.map { strlen($0) } ?? 0
    }
}
