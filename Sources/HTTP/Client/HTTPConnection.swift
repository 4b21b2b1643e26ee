import HoldfastMediaModel
import HoldfastPlatform

/// A connection to an HTTP server, for one request at a time.
struct HTTPConnection: ~Copyable, Sendable {
  private let origin: HTTPOrigin
  private let stop: Wakeup
  private var connection: Connection
  private var unsent: ArraySlice<UInt8> = []

  init(
    to origin: HTTPOrigin, tls: TLSSettings, until deadline: MonotonicTime, stop: Wakeup
  ) throws(HTTPClientError) {
    let connection = try mapError(
      Connection(
        host: origin.host, port: origin.port, tls: origin.isSecure ? tls : nil, until: deadline, stop: stop)
    ) { (error: ConnectionError) in HTTPClientError(error, wasConnecting: true) }
    // The name localhost may lead elsewhere.
    guard origin.isSecure || origin.isInsecureLAN || connection.isLoopback else {
      throw HTTPClientError(
        .cannotConnect, "\(origin): \(connection.peer) is not this machine, and http is not encrypted",
        hint: "use https")
    }
    self.origin = origin
    self.stop = stop
    self.connection = connection
  }

  mutating func begin(_ request: [UInt8]) { unsent = request[...] }

  /// Whether the whole request was sent.
  var hasSent: Bool { unsent.isEmpty }

  /// Sends and reads as far as that does not block; appends to `buffer` what has come.
  mutating func step(into buffer: inout [UInt8]) throws(ConnectionError) -> Connection.ReadResult {
    let rest = unsent
    if !rest.isEmpty {
      do throws(ConnectionError) {
        unsent = rest.dropFirst(try connection.write(rest.span))
      } catch {
        // The server may have answered before it closed.
        let result = try? connection.read(into: &buffer)
        guard case .bytes? = result else { throw error }
        return .bytes(buffer.count)
      }
    }
    return try connection.read(into: &buffer)
  }

  /// Waits until there may be something to read or room to send, or until `deadline`; throws once stopped.
  mutating func wait(until deadline: MonotonicTime) throws(HTTPClientError) {
    do throws(ConnectionError) {
      let readiness = try connection.wait(toWrite: !unsent.isEmpty, until: deadline, also: [stop.descriptor])
      guard readiness.contains(.others) else { return }
    } catch {
      throw HTTPClientError(error)
    }
    throw .stopped(origin)
  }

  var isStopped: Bool { stop.isSignalled }

  /// Whether nothing has come since the last response, not even the connection's end.
  mutating func isIdle() -> Bool {
    var buffer: [UInt8] = []
    return (try? step(into: &buffer)) == .nothingYet
  }

  var descriptor: Int32 { connection.descriptor }
}
