import HoldfastCMicroHTTPD
import HoldfastPlatform

extension HTTPResponse {
  /// Bytes copied at a time from a stream's shared pieces.
  private static let block = 4096

  private static let headersOfAll = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"), ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// The content security policy of pages: our own resources only.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; "
    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  func queue(on connection: OpaquePointer, of service: HTTPService) -> MHD_Result {
    guard let raw = raw(on: connection, of: service) else { return cmhd_NO }
    defer { MHD_destroy_response(raw) }
    MHD_add_response_header(raw, "Content-Type", contentType)
    for (name, value) in Self.headersOfAll + headers { MHD_add_response_header(raw, name, value) }
    if service.sendsHSTS { MHD_add_response_header(raw, "Strict-Transport-Security", "max-age=31536000") }
    if contentType.hasPrefix("text/html") {
      MHD_add_response_header(raw, "Content-Security-Policy", Self.policy)
    }
    return MHD_queue_response(connection, UInt32(clamping: status), raw)
  }

  private func raw(on connection: OpaquePointer, of service: HTTPService) -> OpaquePointer? {
    switch body {
    case .bytes(var bytes):
      return MHD_create_response_from_buffer(bytes.count, &bytes, cmhd_MUST_COPY)
    case .stream(let stream):
      let source = Unmanaged.passRetained(
        StreamSource(stream: service.beginStream(stream, on: connection), service: service))
      let raw = MHD_create_response_from_callback(
        cmhd_SIZE_UNKNOWN, Self.block, Self.read, source.toOpaque(), Self.forget)
      if raw == nil { source.release() }
      return raw
    }
  }

  private final class StreamSource {
    let stream: HTTPStream
    let service: HTTPService

    init(stream: HTTPStream, service: HTTPService) {
      self.stream = stream
      self.service = service
    }
  }

  private static let read: MHD_ContentReaderCallback = { context, _, buffer, size in
    guard let context else { return cmhd_END_OF_STREAM }
    let source = Unmanaged<StreamSource>.fromOpaque(context).takeUnretainedValue()
    let count = source.service.fill(source.stream, UnsafeMutableRawBufferPointer(start: buffer, count: size))
    return count ?? cmhd_END_OF_STREAM
  }

  private static let forget: MHD_ContentReaderFreeCallback = { context in
    if let context { Unmanaged<StreamSource>.fromOpaque(context).release() }
  }
}
