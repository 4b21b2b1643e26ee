internal import HoldfastMediaModel
package import HoldfastPlatform

/// A small RTMP server for demos and tests: it takes publishes, writes them to FLV files, and plays them to others.
/// One thread does everything, also what blocks on the disk, and everybody may play.
package final class MediaServer: Sendable {
  package let configuration: Configuration
  private let observe: @Sendable (Event) -> Void
  private let stopSignal: Wakeup
  private let thread = ThreadSlot()
  private let opened = Locked<Listener?>(nil)
  private let listening = Locked<(port: UInt16, address: String)?>(nil)

  /// `observe` is called on the server's thread, which waits for it; it must not stop the server.
  package init(
    _ configuration: Configuration = .init(), observe: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(SystemError) {
    self.configuration = configuration
    self.observe = observe
    stopSignal = try Wakeup()
  }

  package enum StartError: Error, Hashable, Sendable {
    case port(ConnectionError)
    case directory(String, SystemError)
    case system(SystemError)
  }

  /// Listens from here on. A server starts once.
  package func start() throws(StartError) {
    if let directory = configuration.directory {
      do throws(SystemError) { try createDirectory(directory) } catch { throw .directory(directory, error) }
    }
    do throws(ConnectionError) {
      let listener = try Listener(host: configuration.host, port: configuration.port)
      let place = (listener.port, listener.local)
      listening.withLock { $0 = place }
      put(listener)
    } catch {
      throw .port(error)
    }
    do throws(SystemError) {
      try thread.start(name: "media-server") { [self] in run() }
    } catch {
      throw .system(error)
    }
  }

  private func put(_ listener: consuming Listener) {
    var listener: Listener? = listener
    opened.withLock { $0 = listener.take() }
  }

  private func run() {
    guard let listener = opened.withLock({ $0.take() }) else { return }
    observe(.listening(address: listener.local))
    var loop = ServerLoop(listener, configuration, until: stopSignal, observe: observe)
    // It fails only where the system has no memory for waiting.
    try? loop.run()
  }

  /// The port that it listens on; 0 before it has started.
  package var port: UInt16 { listening.withLock { $0?.port ?? 0 } }
  /// `127.0.0.1:1935`; empty before it has started.
  package var address: String { listening.withLock { $0?.address ?? "" } }

  /// Ends all streams, completes their files, and waits for that.
  package func stop() {
    stopSignal.signal()
    thread.join()
  }
}
