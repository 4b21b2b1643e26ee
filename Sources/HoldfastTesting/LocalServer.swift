public import Holdfast
package import HoldfastMediaModel
package import HoldfastMediaServer
import HoldfastPlatform

/// An RTMP server for one test, on a free port of this machine, with faults to order.
///
/// It keeps all its events and can wait for them. A fault is in effect on the wire when its method returns.
/// The server stops when it is released.
public final class LocalServer: Sendable {
  private let server: Locked<MediaServer>
  /// The server's port on 127.0.0.1.
  public let port: UInt16
  private let arriving: BoundedQueue<MediaServer.Event>
  private let kept = Locked<[MediaServer.Event]>([])

  /// More events than arrive between two reads.
  private static let capacity = 65_536
  /// How often a waiting thread rechecks events taken by another one.
  private static let slice = MediaTime.milliseconds(50)

  /// Starts a server. With `keys`, publishers must present one of them; with `directory`, it records FLV
  /// files there; `habits` are those of other servers.
  public convenience init(
    keys: Set<String>? = nil, directory: String? = nil, habits: Set<Habit> = []
  ) throws(LocalServerError) {
    do {
      try self.init(admission: keys.map(MediaAdmission.keys) ?? .everyone) { configuration in
        configuration.directory = directory
        for habit in habits { habit.apply(to: &configuration) }
      }
    } catch {
      throw LocalServerError(error)
    }
  }

  /// Starts a server with the configuration that `configure` sets up.
  package init(
    admission: MediaAdmission = .everyone, _ configure: (inout MediaServer.Configuration) -> Void
  ) throws {
    var configuration = MediaServer.Configuration()
    configure(&configuration)
    let arriving = BoundedQueue<MediaServer.Event>(capacity: Self.capacity)
    self.arriving = arriving
    let server = try MediaServer(configuration, admission: admission) { event in _ = arriving.offer(event) }
    try server.start()
    (self.server, port) = (Locked(server), server.port)
  }

  deinit { stop() }

  /// The URL for publishing and playing `stream`; `key` is one of the server's keys.
  public func url(_ stream: String, key: String? = nil) -> String {
    running.url(stream + (key.map { "?key=\($0)" } ?? ""))
  }

  /// The address of `stream` for an `Output`.
  public func address(of stream: String, key: String? = nil) throws(ConfigurationError) -> OutputAddress {
    try OutputAddress(url(stream, key: key))
  }

  /// All events so far.
  package var events: [MediaServer.Event] {
    while take(until: .now) {}
    return kept.withLock { $0 }
  }

  /// The first past or future event for which `isWanted` holds; nil on timeout. Blocks the thread.
  package func wait(
    timeout: MediaTime = .seconds(60), for isWanted: (MediaServer.Event) -> Bool
  ) -> MediaServer.Event? {
    let deadline = MonotonicTime.now + timeout
    while true {
      if let event = events.first(where: isWanted) { return event }
      let now = MonotonicTime.now
      guard now < deadline else { return nil }
      _ = take(until: min(deadline, now + Self.slice))
    }
  }

  /// The first report of stream `name` for which `isEnough` holds; nil on timeout. Blocks the thread.
  package func waitForReport(
    of name: String, timeout: MediaTime = .seconds(60), until isEnough: (StreamReport) -> Bool
  ) -> StreamReport? {
    wait(timeout: timeout) { event in
      event.arrival.map { $0.report.name == name && isEnough($0.report) } ?? false
    }?.arrival?.report
  }

  /// The first past or future report of stream `name` for which `isEnough` holds; nil on timeout or cancellation.
  public func waitForStream(
    _ name: String, timeout: Duration = .seconds(60),
    until isEnough: @escaping @Sendable (ArrivedStream) -> Bool = { $0.hasEnded }
  ) async -> ArrivedStream? {
    await poll(timeout) {
      events.lazy.compactMap(ArrivedStream.init).first { $0.name == name && isEnough($0) }
    }
  }

  /// All ended publishes, in order.
  public var endedStreams: [ArrivedStream] { events.compactMap(ArrivedStream.init).filter(\.hasEnded) }

  // MARK: - Faults

  /// Stops reading, writing and answering; connections stay open and new ones are not served, as with a
  /// server that hangs.
  public func freeze() { running.cause(.freeze) }

  /// Continues after `freeze()`.
  public func thaw() { running.cause(.thaw) }

  /// Closes all connections; new ones are accepted.
  public func disconnectAll() { running.cause(.disconnectAll) }

  /// Refuses the next `count` publishes as not authorized, whatever their key; 0 refuses no more.
  public func refuseNext(_ count: Int = 1) { running.cause(.refuseNext(count)) }

  /// Ends all streams, completes their files and closes the port, so that connections are refused.
  ///
  /// Events and streams remain available.
  public func stop() { running.stop() }

  /// Listens on the same port again after `stop()`, without faults.
  public func restart() throws(LocalServerError) {
    let old = running
    old.stop()
    var configuration = old.configuration
    configuration.port = port
    do {
      let new = try MediaServer(configuration, admission: old.admission) { [arriving] event in
        _ = arriving.offer(event)
      }
      try new.start()
      server.withLock { $0 = new }
    } catch {
      throw LocalServerError(error)
    }
  }

  package var running: MediaServer { server.withLock { $0 } }

  private func take(until deadline: MonotonicTime) -> Bool {
    // A common lock would make a second thread wait for the first one's event.
    guard let event = arriving.take(until: deadline) else { return false }
    kept.withLock { $0.append(event) }
    return true
  }
}
