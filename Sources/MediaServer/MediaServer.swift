import HoldfastMediaModel
package import HoldfastPlatform

/// A small RTMP server for demos and tests: records published streams to FLV files and relays them to
/// players.
/// Everything runs on one thread, including blocking disk writes; players need no key.
package final class MediaServer: Sendable {
  package let configuration: Configuration
  private let observe: @Sendable (Event) -> Void
  private let requests: Inbox<ServerRequest>
  private let thread = ThreadSlot()
  private let opened = Locked<Listener?>(nil)
  private let listening = Locked<(port: UInt16, address: String)?>(nil)

  /// `observe` is called synchronously on the server's thread and must not stop the server.
  package init(
    _ configuration: Configuration = .init(), observe: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(SystemError) {
    self.configuration = configuration
    self.observe = observe
    requests = Inbox(wakeup: try Wakeup())
  }

  package enum StartError: Error, Hashable, Sendable {
    case port(ConnectionError)
    case directory(String, SystemError)
    case system(SystemError)
  }

  /// Starts listening. May be called once.
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
    var loop = ServerLoop(listener, configuration, requests, observe: observe)
    // Fails only when the system is out of memory for polling.
    try? loop.run()
  }

  /// The listening port; 0 before the start.
  package var port: UInt16 { listening.withLock { $0?.port ?? 0 } }
  /// `127.0.0.1:1935`; empty before it has started.
  package var address: String { listening.withLock { $0?.address ?? "" } }

  /// Ends all streams, completes their files, and blocks until that is done.
  package func stop() {
    requests.post(.stop)
    thread.join()
  }

  /// Returns once the fault is in effect; does nothing unless the server runs.
  package func cause(_ fault: Fault) {
    let done = Promise<Bool>()
    guard requests.post(.fault(fault, done: done)) else { return }
    _ = done.take(until: .now + .seconds(5))
  }
}
