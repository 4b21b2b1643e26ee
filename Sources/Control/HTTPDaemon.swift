internal import CMicroHTTPD
internal import Glibc
internal import MediaModel
internal import Platform

/// libmicrohttpd on a listening socket, without a thread of its own.
final class HTTPDaemon: @unchecked Sendable {  // after it is made, one thread uses it: the one in `run`
  private let service: HTTPService
  private var raw: OpaquePointer?

  /// Takes over `socket`, which listens already.
  init(listeningOn socket: Int32, limits: ControlLimits, service: HTTPService) throws(SystemError) {
    self.service = service
    raw = cmhd_start(
      socket, UInt32(clamping: limits.connections), limits.headSize, Self.answer, Self.completed,
      Self.connected, Self.unescape, Unmanaged.passUnretained(service).toOpaque())
    guard raw != nil else {
      let error = SystemError.last("MHD_start_daemon")
      close(socket)
      throw error
    }
  }

  deinit {
    finish()
  }

  /// Serves until `stop` is signalled, and then those whose request has come already, for a short while.
  func run(until stop: StopSignal) {
    while let outcome = try? stop.poll([cmhd_wakeup(raw)], until: deadline), outcome != .stopped { serve() }
    let end = MonotonicTime.now + .milliseconds(500)
    var poller = Poller()
    poller.add(cmhd_wakeup(raw))
    while service.connections.areBusy, .now < end, (try? poller.wait(until: min(end, deadline))) != nil {
      serve()
    }
    finish()
  }

  private func serve() {
    var before: Int
    repeat {
      before = service.connections.count
      MHD_run(raw)
      // Where there was no room, the next run begins to listen again.
    } while service.connections.count < before
    service.connections.endOverdue(at: .now)
  }

  private var deadline: MonotonicTime {
    var milliseconds: UInt64 = 0
    if MHD_get_timeout(raw, &milliseconds) == cmhd_YES, milliseconds == 0 { return .now }
    return service.connections.nextDeadline ?? .now + .seconds(3600)
  }

  private func finish() {
    if let raw { MHD_stop_daemon(raw) }
    raw = nil
  }

  // MARK: What C calls

  private static func service(_ context: UnsafeMutableRawPointer?) -> HTTPService? {
    context.map { Unmanaged<HTTPService>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let connected: MHD_NotifyConnectionCallback = { context, connection, _, event in
    guard let service = service(context), let connection else { return }
    if event == cmhd_STARTED {
      service.connected(connection)
    } else {
      service.disconnected(connection)
    }
  }

  private static let answer: MHD_AccessHandlerCallback = {
    context, connection, url, method, _, upload, uploadSize, slot in
    guard let service = service(context), let connection, let url, let method, let uploadSize, let slot else {
      return cmhd_NO
    }
    guard let known = slot.pointee else {
      let exchange = HTTPExchange(method: String(cString: method), path: String(cString: url))
      slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
      return service.began(connection).map { queue($0, on: connection) } ?? cmhd_YES
    }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    guard uploadSize.pointee > 0 else { return queue(service.response(to: exchange), on: connection) }
    service.continued(exchange, UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
    uploadSize.pointee = 0
    return cmhd_YES
  }

  private static let completed: MHD_RequestCompletedCallback = { context, connection, slot, _ in
    if let known = slot?.pointee { Unmanaged<HTTPExchange>.fromOpaque(known).release() }
    slot?.pointee = nil
    if let service = service(context), let connection { service.finished(connection) }
  }

  /// Leaves everything as it is: our paths have nothing to unescape, so an escape in one is no way around them.
  private static let unescape:
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
      _, _, text in text.map { strlen($0) } ?? 0
    }

  private static func queue(_ response: ControlResponse, on connection: OpaquePointer) -> MHD_Result {
    var body = response.body
    guard let raw = MHD_create_response_from_buffer(body.count, &body, cmhd_MUST_COPY) else {
      return cmhd_NO
    }
    defer { MHD_destroy_response(raw) }
    MHD_add_response_header(raw, "Content-Type", response.contentType)
    MHD_add_response_header(raw, "Cache-Control", "no-store")
    if !response.allowed.isEmpty {
      MHD_add_response_header(raw, "Allow", response.allowed.joined(separator: ", "))
    }
    return MHD_queue_response(connection, UInt32(clamping: response.status), raw)
  }
}
