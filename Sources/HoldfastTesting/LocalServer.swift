public import Holdfast
package import HoldfastMediaModel
package import HoldfastMediaServer
internal import HoldfastPlatform

/// A real RTMP server for one test: on a free port of this machine, with everything that happens kept and waited for.
///
/// It ends when it is let go of.
public final class LocalServer: Sendable {
  private let server: MediaServer
  private let arriving: BoundedQueue<MediaServer.Event>
  private let kept = Locked<[MediaServer.Event]>([])

  /// More events than a test waits with.
  private static let capacity = 65_536
  /// Two threads that wait at once see each other's events after so long.
  private static let slice = MediaTime.milliseconds(50)

  /// Starts a server. Publishers have to show one of `keys` where there are any; recordings go to `directory` as FLV.
  public convenience init(keys: Set<String>? = nil, directory: String? = nil) throws(LocalServerError) {
    do {
      try self.init { configuration in
        configuration.keys = keys
        configuration.directory = directory
      }
    } catch {
      throw LocalServerError(reason: "\(error)")
    }
  }

  /// Starts a server; `configure` may change what it is to be like.
  package init(_ configure: (inout MediaServer.Configuration) -> Void) throws {
    var configuration = MediaServer.Configuration()
    configure(&configuration)
    let arriving = BoundedQueue<MediaServer.Event>(capacity: Self.capacity)
    self.arriving = arriving
    server = try MediaServer(configuration) { event in _ = arriving.offer(event) }
    try server.start()
  }

  deinit {
    server.stop()
  }

  /// A free port of 127.0.0.1.
  public var port: UInt16 { server.port }

  /// Where `stream` is published and played; `key` is one of the server's.
  public func url(_ stream: String, key: String? = nil) -> String {
    "rtmp://\(server.address)/live/\(stream)" + (key.map { "?key=\($0)" } ?? "")
  }

  /// Where `stream` is published, for an `Output`.
  public func address(of stream: String, key: String? = nil) throws(ConfigurationError) -> OutputAddress {
    try OutputAddress(url(stream, key: key))
  }

  /// Everything that has happened so far.
  package var events: [MediaServer.Event] {
    while take(until: .now) {}
    return kept.withLock { $0 }
  }

  /// The first event, past or to come, that `isWanted`; nil when none has come in time.
  package func wait(
    upTo limit: MediaTime = .seconds(60), for isWanted: (MediaServer.Event) -> Bool
  ) -> MediaServer.Event? {
    let deadline = MonotonicTime.now + limit
    while true {
      if let event = events.first(where: isWanted) { return event }
      let now = MonotonicTime.now
      guard now < deadline else { return nil }
      _ = take(until: min(deadline, now + Self.slice))
    }
  }

  /// What has come under `name`, as soon as it is enough; nil when that was not in time.
  package func waitForReport(
    of name: String, upTo limit: MediaTime = .seconds(60), until isEnough: (StreamReport) -> Bool
  ) -> StreamReport? {
    wait(upTo: limit) { event in
      event.arrival.map { $0.report.name == name && isEnough($0.report) } ?? false
    }?.arrival?.report
  }

  /// What has come under `name`, past or to come, as soon as it is enough; nil when that was not in time.
  public func stream(
    _ name: String, upTo limit: Duration = .seconds(60),
    until isEnough: @escaping @Sendable (ArrivedStream) -> Bool = { $0.isEnded }
  ) async -> ArrivedStream? {
    let event = try? await onThread("test") { [self] in
      wait(upTo: MediaTime(limit)) { event in
        ArrivedStream(event).map { $0.name == name && isEnough($0) } ?? false
      }
    }
    return event.flatMap(ArrivedStream.init)
  }

  /// What has come of each publish that is over, in their order.
  public var endedStreams: [ArrivedStream] { events.compactMap(ArrivedStream.init).filter(\.isEnded) }

  /// Ends the server; files are complete afterwards. What has happened can still be asked for.
  public func stop() {
    server.stop()
  }

  private func take(until deadline: MonotonicTime) -> Bool {
    // One lock around both would make a second thread wait for the first one's event.
    guard let event = arriving.take(until: deadline) else { return false }
    kept.withLock { $0.append(event) }
    return true
  }
}
