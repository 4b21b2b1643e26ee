extension LogindConversation {
  private static let seat = "org.freedesktop.login1.Seat"
  private static let seatPath = "/org/freedesktop/login1/seat/seat0"
  /// The session of the calling process, or of its user.
  private static let own = "auto"

  func listenForSession() throws(BusError) {
    let signals =
      "type='signal',sender='\(Self.logind)',path_namespace='/org/freedesktop/login1/session',interface="
    try bus.listen(signals + "'\(Self.sessionInterface)'") { [unowned self] message in
      let isWatched = message.path == sessionPath
      switch message.member {
      case "Lock": events += state.request(isLocked: true, of: message.path, isWatched: isWatched)
      case "Unlock": events += state.request(isLocked: false, of: message.path, isWatched: isWatched)
      default: break
      }
    }
    try bus.listen(
      signals + "'org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='\(Self.sessionInterface)'"
    ) { [unowned self] message in
      guard message.path == sessionPath, let _ = try? message.readString() else { return }
      update(message.path, message)
    }
    try listenForOtherSessions()
  }

  private func listenForOtherSessions() throws(BusError) {
    let manager = "type='signal',sender='\(Self.logind)',interface='\(Self.manager)',member="
    try bus.listen(manager + "'SessionRemoved'") { [unowned self] message in
      guard let _ = try? message.readString(), let path = try? message.readPath() else { return }
      state.sessionRemoved(path)
      guard path == sessionPath else { return }
      sessionPath = nil
      needsSession = true
    }
    try bus.listen(manager + "'SessionNew'") { [unowned self] _ in
      if sessionPath == nil { needsSession = true }
    }
    // A session starts before it has its seat.
    try bus.listen(
      "type='signal',sender='\(Self.logind)',path='\(Self.seatPath)',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [unowned self] _ in
      if sessionPath == nil || followsSeat { needsSession = true }
    }
  }

  func find(_ session: String) throws(BusError) {
    search += 1
    let number = search
    try bus.call(Self.managerCall("GetSession", [session])) { [unowned self] reply in
      guard number == search else { return }
      do throws(BusError) {
        let path: String
        do throws(BusError) {
          path = try reply.get().readPath()
        } catch {
          // A service has no session: it follows the user at the machine.
          guard session == Self.own, error.isNotFound else { throw error }
          return try findAtSeat(number)
        }
        followsSeat = false
        try watch(path, number)
      } catch {
        handleMissingSession(error)
      }
    }
  }

  private func findAtSeat(_ number: Int) throws(BusError) {
    try bus.call(Self.property("ActiveSession", of: Self.seat, at: Self.seatPath)) { [unowned self] reply in
      guard number == search else { return }
      do throws(BusError) {
        let session = try reply.get().readVariantObject()
        // An empty name means no session.
        guard !session.name.isEmpty else {
          throw BusError(name: "org.freedesktop.login1.NoSuchSession", reason: "No user at seat0")
        }
        followsSeat = true
        try watch(session.path, number)
      } catch {
        handleMissingSession(error)
      }
    }
  }

  private func watch(_ path: String, _ number: Int) throws(BusError) {
    sessionPath = path
    try bus.call(Self.property(of: Self.sessionInterface, at: path)) { [unowned self] reply in
      guard number == search else { return }
      do throws(BusError) {
        update(path, try reply.get())
        events += state.sessionFound()
      } catch {
        noteFailure(.session, "can't monitor the session", error)
      }
    }
  }

  /// An ended session counts as neither locked nor inactive; an unknown one keeps its state.
  private func handleMissingSession(_ error: BusError) {
    if error.isNotFound {
      sessionPath = nil
      events += state.sessionLost()
    }
    noteFailure(.session, "no session to monitor", error)
  }

  private func update(_ session: String, _ message: BusMessage) {
    guard let properties = try? message.readBools() else { return }
    events += state.update(session, lockedHint: properties["LockedHint"], isActive: properties["Active"])
  }
}
