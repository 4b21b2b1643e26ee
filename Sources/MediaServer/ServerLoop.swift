import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// The server's event loop: polls all connections on one thread.
struct ServerLoop: ~Copyable {
  private let configuration: MediaServer.Configuration
  private let observe: (MediaServer.Event) -> Void
  private let requests: Inbox<ServerRequest>
  private var listener: Listener
  private var clients: [Client] = []
  /// Left open though their clients have ended them.
  private var abandoned: [Client] = []
  private var hub: Hub
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

  init(
    _ listener: consuming Listener, _ configuration: MediaServer.Configuration,
    _ requests: Inbox<ServerRequest>, observe: @escaping (MediaServer.Event) -> Void
  ) {
    self.configuration = configuration
    self.observe = observe
    self.requests = requests
    self.listener = listener
    hub = Hub(configuration, observe: observe)
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
      for client in clients { poller.add(client.descriptor, toWrite: client.wantsToWrite) }
      let listenerIndex = acceptsFrom == nil ? poller.add(listener.descriptor) : -1
      try poller.wait(until: clients.isEmpty && acceptsFrom == nil ? nil : nextTick)
      if poller.mayRead(requestIndex) {
        guard handleRequests() else { return }
        continue
      }
      let now = MonotonicTime.now
      for (index, client) in clients.prefix(served).enumerated() {
        let place = requestIndex + 1 + index
        if poller.mayWrite(place) { client.becameWritable() }
        if poller.mayRead(place) { read(client, at: now) }
      }
      if poller.mayRead(listenerIndex) { accept(at: now) }
      if now >= nextTick { tick(at: now) }
      for client in clients { write(client, at: now) }
      clients.removeAll { $0.isClosed }
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
      case .refuseNext(let count): hub.publishesToRefuse = count
      }
      done.fulfil(true)
    }
    return true
  }

  private mutating func accept(at now: MonotonicTime) {
    do throws(ConnectionError) {
      while var connection = try listener.accept() {
        displaceHalfOpen(of: connection.peerHost)
        guard clients.count < configuration.maxConnections else {
          reportRefusal(of: connection.peer, at: now)
          connection.abort()
          continue
        }
        clients.append(Client(connection, settings, at: now))
      }
    } catch {
      acceptsFrom = now + .seconds(1)
    }
  }

  /// Makes room for another connection from `host`, which can't take all of them.
  private mutating func displaceHalfOpen(of host: String) {
    let halfOpen = clients.filter { !$0.isClosed && $0.isHalfOpen && $0.host == host }
    guard halfOpen.count >= configuration.maxHalfOpen, let oldest = halfOpen.first else { return }
    disconnect(oldest, "too many unused connections from its address")
    clients.removeAll { $0 === oldest }
  }

  private mutating func reportRefusal(of peer: String, at now: MonotonicTime) {
    guard now >= nextRefusalReport else { return }
    nextRefusalReport = now + .seconds(1)
    observe(.refused(peer: peer, stream: nil, .tooManyConnections))
  }

  private var settings: RTMPServer.Settings {
    let digests = MessageDigests(md5: { md5($0) }, hmacSHA256: { hmacSHA256(key: $0, message: $1) })
    var settings = RTMPServer.Settings(digests: digests, random: randomBytes(1536))
    settings.limits.pendingBytes = configuration.pendingLimit
    settings.answersPings = configuration.answersPings
    settings.acknowledges = configuration.acknowledges
    settings.answersGoodBye = configuration.answersGoodBye
    settings.limits.messageSize = min(settings.limits.messageSize, configuration.pendingLimit)
    return settings
  }

  private mutating func read(_ client: Client, at now: MonotonicTime) {
    do {
      guard !client.isClosed else { return }
      guard try client.read(through: &buffer, at: now) else { return hangUp(client) }
      while !client.isClosed, let event = try client.protocolState.next() {
        keepWithinMemory(reserving: hub.relayedBytes(of: event, from: client))
        hub.handle(event, from: client, at: now)
      }
    } catch let error as RTMPError {
      disconnect(client, error.description)
    } catch {
      remove(client)
    }
  }

  private mutating func write(_ client: Client, at now: MonotonicTime) {
    guard !client.isClosed else { return }
    do throws(ConnectionError) {
      try client.write(at: now)
      if client.isLeaving, client.backlog == 0 { remove(client) }
    } catch {
      remove(client)
    }
  }

  private mutating func remove(_ client: Client) {
    guard !client.isClosed else { return }
    hub.remove(client, .disconnected)
    client.finish()
  }

  /// The client has ended its side of the connection.
  private mutating func hangUp(_ client: Client) {
    guard !configuration.answersGoodBye else { return remove(client) }
    hub.remove(client, .disconnected)
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
    hub.tick(at: now)
    if now >= nextReport {
      nextReport = now + Self.reportInterval
      hub.reportArrivals()
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
    guard held + hub.cachedBytes > limit else { return }
    hub.dropCaches()
    while held > limit, let worst = clients.max(by: { $0.heldBytes < $1.heldBytes }), worst.heldBytes > 0 {
      held -= worst.heldBytes
      disconnect(worst, "too far behind, and the server's memory is limited")
      // Closed clients hold nothing.
    }
  }

  private mutating func end() {
    hub.reportArrivals()
    hub.stop()
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
