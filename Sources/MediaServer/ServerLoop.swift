import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// The server's event loop: polls all connections on one thread.
struct ServerLoop: ~Copyable {
  private let configuration: MediaServer.Configuration
  private let observe: (MediaServer.Event) -> Void
  private let requests: Inbox<ServerRequest>
  private let changes: Locked<PendingChanges>
  private var listener: Listener
  /// Nil without TLS.
  private var context: TLSContext?
  private var handshakes: RateLimit<SocketNetwork>
  private var clients: [Client] = []
  /// Left open though their clients have ended them.
  private var abandoned: [Client] = []
  private var registry: StreamRegistry
  private var poller = Poller()
  private var buffer: [UInt8] = []
  private var nextTick: MonotonicTime
  private var nextReport: MonotonicTime
  /// Accepting resumes at this time after a failed accept.
  private var acceptsFrom: MonotonicTime?
  /// Rate limit for reports of connections over the limit.
  private var nextRefusalReport: MonotonicTime
  private var isFrozen = false

  private static let tickInterval = MediaTime.milliseconds(250)
  private static let reportInterval = MediaTime.seconds(1)
  /// The clients whose TLS handshakes advance between two rounds of media. One step may take 5 ms, with a long RSA key.
  private static let handshakesPerRound = 4
  /// The TLS records read of one client in a round.
  private static let recordsPerRound = 4

  init(
    _ listener: consuming Listener, _ context: TLSContext?, _ configuration: MediaServer.Configuration,
    _ admission: MediaAdmission, _ requests: Inbox<ServerRequest>, _ changes: Locked<PendingChanges>,
    observe: @escaping (MediaServer.Event) -> Void
  ) {
    self.configuration = configuration
    self.observe = observe
    self.requests = requests
    self.changes = changes
    self.listener = listener
    self.context = context
    handshakes = RateLimit(burst: configuration.handshakes, refill: configuration.handshakeInterval)
    registry = StreamRegistry(configuration, admission, observe: observe)
    let now = MonotonicTime.now
    nextTick = now + Self.tickInterval
    nextReport = now + Self.reportInterval
    nextRefusalReport = now
  }

  /// Serves until a stop is requested.
  mutating func run() throws(SystemError) {
    defer { end() }
    while true {
      let served = clients.count
      poller.removeAll()
      let requestIndex = requests.wakeup.map { poller.add($0.descriptor) } ?? -1
      // The listener is polled only if it has an index here.
      var deadline = clients.isEmpty && acceptsFrom == nil ? nil : nextTick
      for client in clients {
        poller.add(client.descriptor, toWrite: client.wantsToWrite)
        if client.mayHoldMore { deadline = .now }
      }
      let listenerIndex = acceptsFrom == nil ? poller.add(listener.descriptor) : -1
      try poller.wait(until: deadline)
      let isRequested = poller.mayRead(requestIndex)
      if isRequested {
        guard handleRequests() else { return }
        applyChanges()
      }
      let now = MonotonicTime.now
      // Requests change the clients.
      if !isRequested {
        serve(clients.prefix(served), from: requestIndex + 1, at: now)
        if poller.mayRead(listenerIndex) { accept(at: now) }
        if now >= nextTick { tick(at: now) }
      }
      for client in clients { write(client, at: now) }
      clients.removeAll { $0.isClosed }
    }
  }

  /// Reads of the clients, the first of which has the index `first` in the poller.
  private mutating func serve(_ clients: ArraySlice<Client>, from first: Int, at now: MonotonicTime) {
    var handshakes = 0
    for (index, client) in clients.enumerated() {
      if poller.mayWrite(first + index) { client.becameWritable() }
      guard poller.mayRead(first + index) || client.mayHoldMore else { continue }
      if client.isInTLSHandshake {
        handshakes += 1
        // The others are still readable in the next round.
        if handshakes > Self.handshakesPerRound { continue }
      }
      read(client, at: now)
    }
  }

  /// Handles the pending requests, and while frozen those to come. False when the server is to stop.
  private mutating func handleRequests() -> Bool {
    requests.wakeup?.clear()
    while let request = requests.take(until: isFrozen ? nil : .now) {
      guard case .fault(let fault, let done) = request else { return false }
      switch fault {
      case .freeze: isFrozen = true
      case .thaw: isFrozen = false
      case .disconnectAll:
        for client in clients { remove(client) }
        clients = []
      case .refuseNext(let count): registry.publishesToRefuse = count
      }
      done.fulfil(true)
    }
    return true
  }

  private mutating func applyChanges() {
    let changes = changes.withLock { changes in
      defer { changes = PendingChanges() }
      return changes
    }
    if let context = changes.context {
      self.context = context
      observe(.certificateRenewed)
    }
    for stream in changes.revokedStreams { registry.disconnectPublisher(of: stream) }
    if changes.revalidates { registry.revalidate() }
  }

  private mutating func accept(at now: MonotonicTime) {
    do throws(ConnectionError) {
      while var connection = try listener.accept() {
        if let refusal = refusal(of: connection, at: now) {
          reportRefusal(of: connection.peer, refusal, at: now)
          connection.abort()
          continue
        }
        if let context { try connection.beginTLS(context) }
        clients.append(Client(connection, settings, at: now))
      }
    } catch {
      acceptsFrom = now + .seconds(1)
    }
  }

  /// Nil if there is room for the connection, perhaps in the place of another one.
  private mutating func refusal(
    of connection: borrowing Connection, at now: MonotonicTime
  ) -> MediaServer.Refusal? {
    let network = connection.peerNetwork
    if context != nil {
      // A handshake costs far more than anything else that a stranger can ask for.
      guard handshakes.retryAfter(network, at: now) == nil else { return .tooManyHandshakes }
      handshakes.record(network, at: now)
    }
    displaceHalfOpen(of: network)
    return clients.count < configuration.maxConnections ? nil : .tooManyConnections
  }

  /// Makes room for another connection from `network`, which can't take all of them.
  private mutating func displaceHalfOpen(of network: SocketNetwork) {
    let halfOpen = clients.filter { !$0.isClosed && $0.isHalfOpen && $0.network == network }
    guard halfOpen.count >= configuration.maxHalfOpen, let oldest = halfOpen.first else { return }
    disconnect(oldest, "too many unused connections from its address")
    clients.removeAll { $0 === oldest }
  }

  private mutating func reportRefusal(
    of peer: String, _ refusal: MediaServer.Refusal, at now: MonotonicTime
  ) {
    guard now >= nextRefusalReport else { return }
    nextRefusalReport = now + .seconds(1)
    observe(.refused(peer: peer, stream: nil, refusal))
  }

  private var settings: RTMPServer.Settings {
    let digests = MessageDigests(md5: md5, hmacSHA256: hmacSHA256)
    var settings = RTMPServer.Settings(digests: digests, random: randomBytes(1536))
    settings.answersPings = configuration.answersPings
    settings.acknowledges = configuration.acknowledges
    settings.answersGoodBye = configuration.answersGoodBye
    settings.strangerBytes = configuration.strangerLimit
    return settings
  }

  private mutating func read(_ client: Client, at now: MonotonicTime) {
    do {
      for _ in 0..<Self.recordsPerRound {
        guard !client.isClosed else { return }
        guard try client.read(through: &buffer, at: now) else { return hangUp(client) }
        while !client.isClosed, let event = try client.protocolState.next() {
          keepWithinMemory(reserving: registry.relayedBytes(of: event, from: client))
          registry.handle(event, from: client, at: now)
        }
        guard client.mayHoldMore else { return }
      }
    } catch let error as RTMPError {
      disconnect(client, error.description)
    } catch let error as ConnectionError where client.isInTLSHandshake && error.kind == .tls {
      disconnect(client, String(error.what.trimmingPrefix("\(client.peer): ")))
    } catch {
      remove(client)
    }
  }

  private mutating func write(_ client: Client, at now: MonotonicTime) {
    guard !client.isClosed else { return }
    do throws(ConnectionError) {
      if client.departure == .atOnce { return remove(client) }
      try client.write(at: now)
      if client.departure == .onceWritten, client.backlog == 0 { remove(client) }
    } catch {
      remove(client)
    }
  }

  private mutating func remove(_ client: Client) {
    guard !client.isClosed else { return }
    registry.remove(client)
    client.finish()
  }

  /// The client has ended its side of the connection.
  private mutating func hangUp(_ client: Client) {
    guard !configuration.answersGoodBye else { return remove(client) }
    registry.remove(client)
    abandoned.append(client)
    clients.removeAll { $0 === client }
  }

  private mutating func disconnect(_ client: Client, _ reason: String) {
    guard !client.isClosed else { return }
    observe(.cutOff(peer: client.peer, reason: reason))
    remove(client)
  }

  // MARK: - What is due

  private mutating func tick(at now: MonotonicTime) {
    nextTick = now + Self.tickInterval
    if let time = acceptsFrom, now >= time { acceptsFrom = nil }
    registry.tick(at: now)
    if now >= nextReport {
      nextReport = now + Self.reportInterval
      registry.reportArrivals()
    }
    for client in clients {
      client.pingIfSilent(for: MediaTime(nanoseconds: configuration.silenceTimeout.nanoseconds / 3), at: now)
      if let reason = client.disconnectReason(configuration, at: now) { disconnect(client, reason) }
    }
  }

  /// Drops the GOP caches first, then the clients that hold the most memory, until `more` bytes fit in.
  private mutating func keepWithinMemory(reserving more: Int) {
    let limit = configuration.heldLimit - more
    var held = clients.reduce(0) { $0 + $1.heldBytes }
    guard held + registry.cachedBytes > limit else { return }
    registry.dropCaches()
    while held > limit, let worst = clients.max(by: { $0.heldBytes < $1.heldBytes }), worst.heldBytes > 0 {
      held -= worst.heldBytes
      disconnect(worst, "too far behind, and the server's memory is limited")
      // Closed clients hold nothing.
    }
  }

  private mutating func end() {
    registry.reportArrivals()
    registry.stop()
    let now = MonotonicTime.now
    for client in clients {
      write(client, at: now)
      remove(client)
    }
    clients = []
    abandoned = []
    requests.close()
    observe(.stopped)
  }
}
