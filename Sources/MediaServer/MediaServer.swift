import HoldfastMediaModel
package import HoldfastPlatform

/// A small RTMP or RTMPS server, of a program of its own or embedded in one: relays published streams to players, and
/// records them to FLV files. Everything runs on one thread, including blocking disk writes.
package final class MediaServer: Sendable {
  package let configuration: Configuration
  package let admission: MediaAdmission
  private let observe: @Sendable (Event) -> Void
  private let requests: Inbox<ServerRequest>
  private let changes = Locked(PendingChanges())
  /// The certificate of new connections.
  private let identity: Locked<TLSIdentity?>
  private let thread = ThreadSlot()
  private let opened = Locked<Listener?>(nil)
  private let listening = Locked<(port: UInt16, address: String)?>(nil)

  /// `observe` is called synchronously on the server's thread and must not stop the server.
  package init(
    _ configuration: Configuration = .init(), admission: MediaAdmission = .everyone,
    observe: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(SystemError) {
    self.configuration = configuration
    self.admission = admission
    self.observe = observe
    identity = Locked(configuration.identity)
    requests = Inbox(wakeup: try Wakeup())
  }

  package enum StartError: Error, Hashable, Sendable {
    case port(ConnectionError)
    case directory(String, SystemError)
    case certificate(ConnectionError)
    case system(SystemError)
  }

  /// Starts listening. May be called once.
  package func start() throws(StartError) {
    if let directory = configuration.directory {
      do throws(SystemError) { try createDirectory(directory) } catch { throw .directory(directory, error) }
    }
    let context: TLSContext?
    do throws(ConnectionError) {
      context = try configuration.identity.map(TLSContext.init)
    } catch {
      throw .certificate(error)
    }
    do throws(ConnectionError) {
      let listener = try listen()
      let place = (listener.port, listener.local)
      listening.withLock { $0 = place }
      put(listener)
    } catch {
      throw .port(error)
    }
    do throws(SystemError) {
      try thread.start(name: "media-server") { [self] in run(context) }
    } catch {
      throw .system(error)
    }
  }

  private func listen() throws(ConnectionError) -> Listener {
    do throws(ConnectionError) {
      return try Listener(host: configuration.host, port: configuration.port)
    } catch  where configuration.anyPortIfTaken && error.isAddressInUse {
      return try Listener(host: configuration.host, port: 0)
    }
  }

  private func put(_ listener: consuming Listener) {
    var listener: Listener? = listener
    opened.withLock { $0 = listener.take() }
  }

  private func run(_ context: TLSContext?) {
    guard let listener = opened.withLock({ $0.take() }) else { return }
    observe(.listening(address: listener.local, speaksTLS: speaksTLS))
    var loop = ServerLoop(listener, context, configuration, admission, requests, changes, observe: observe)
    // Fails only when the system is out of memory for polling.
    try? loop.run()
  }

  /// The listening port; 0 before the start.
  package var port: UInt16 { listening.withLock { $0?.port ?? 0 } }
  /// `127.0.0.1:1935`; empty before it has started.
  package var address: String { listening.withLock { $0?.address ?? "" } }

  package var speaksTLS: Bool { configuration.identity != nil }

  /// The address to publish and play `stream` at; `stream` may have a query.
  package func url(_ stream: String) -> String {
    "\(speaksTLS ? "rtmps" : "rtmp")://\(address)/live/\(stream)"
  }

  // MARK: - Changes, from any thread, also from `observe` and the admission

  /// Ends the publish of a stream with the reason `revoked`, and disconnects its publisher; does nothing without one.
  /// Does not wait for that.
  package func disconnectPublisher(of stream: String) { change { $0.revokedStreams.insert(stream) } }

  /// Asks the admission again about all publishes and plays, and ends those that it refuses; does not wait for that.
  package func revalidate() { change { $0.revalidates = true } }

  /// Serves new connections with another certificate; false if it is the same, or the server speaks no TLS.
  package func renew(_ identity: TLSIdentity) throws(ConnectionError) -> Bool {
    guard speaksTLS, self.identity.withLock({ $0 }) != identity else { return false }
    let context = try TLSContext(identity)
    self.identity.withLock { $0 = identity }
    change { $0.context = context }
    return true
  }

  private func change(_ body: (inout PendingChanges) -> Void) {
    changes.withLock(body)
    requests.wakeup?.signal()
  }

  // MARK: - End

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
