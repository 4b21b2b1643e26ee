/// The session that is watched.
extension LogindConversation {
  func listenForSession() throws(BusError) {
    let signals =
      "type='signal',sender='\(Self.logind)',path_namespace='/org/freedesktop/login1/session',interface="
    try bus.listen(signals + "'\(Self.sessionInterface)'") { [unowned self] message in
      guard message.path == sessionPath else { return }
      // Asks for the lock; whoever draws it may or may not set LockedHint afterwards.
      switch message.member {
      case "Lock": events += state.learn(isLocked: true, isActive: nil)
      case "Unlock": events += state.learn(isLocked: false, isActive: nil)
      default: break
      }
    }
    try bus.listen(
      signals + "'org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='\(Self.sessionInterface)'"
    ) { [unowned self] message in
      guard message.path == sessionPath, let _ = try? message.readString() else { return }
      learnSession(message)
    }
  }

  /// Looks for the session of that name, and for how it is.
  func find(_ session: String) throws(BusError) {
    try bus.ask(
      BusCall(
        destination: Self.logind, path: Self.managerPath, interface: Self.manager, method: "GetSession",
        arguments: [session])
    ) { [unowned self] reply in
      do throws(BusError) {
        let path = try reply.get().readPath()
        sessionPath = path
        state.works(.session)
        try askForSession(path)
      } catch {
        complain(.session, "no session to watch", error)
      }
    }
  }

  private func askForSession(_ path: String) throws(BusError) {
    try bus.ask(.properties(of: Self.sessionInterface, at: path, destination: Self.logind)) {
      [unowned self] reply in
      do throws(BusError) {
        learnSession(try reply.get())
      } catch {
        complain(.session, "no news of the session", error)
      }
    }
  }

  private func learnSession(_ message: BusMessage) {
    guard let properties = try? message.readBools() else { return }
    events += state.learn(isLocked: properties["LockedHint"], isActive: properties["Active"])
  }
}
