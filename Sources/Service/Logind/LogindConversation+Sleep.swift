/// The machine's sleep.
extension LogindConversation {
  func listenForSleep() throws(BusError) {
    try bus.listen(
      "type='signal',sender='\(Self.logind)',interface='\(Self.manager)',member='PrepareForSleep'"
    ) { [unowned self] message in
      if let isNear = try? message.readBool() { learn(isSleepNear: isNear) }
    }
  }

  /// A signal may have been missed.
  func askForSleep() throws(BusError) {
    try bus.ask(
      .property("PreparingForSleep", of: Self.manager, at: Self.managerPath, destination: Self.logind)
    ) { [unowned self] reply in
      // Who gives no answer gives no inhibitor either, and that is noted.
      if case .success(let message) = reply, let isNear = try? message.readVariantBool() {
        learn(isSleepNear: isNear)
      }
    }
  }

  func takeInhibitor() throws(BusError) {
    try bus.ask(
      BusCall(
        destination: Self.logind, path: Self.managerPath, interface: Self.manager, method: "Inhibit",
        arguments: ["sleep", "Holdfast", "finishing the recording", "delay"])
    ) { [unowned self] reply in
      // It would hold up a sleep that nobody is told of any more; logind refuses it then, too.
      if state.isSleepNear { return }
      do throws(BusError) {
        inhibitor = try reply.get().readDescriptor()
        state.works(.inhibitor)
      } catch {
        complain(.inhibitor, "the machine may sleep before the recording is finished", error)
      }
    }
  }

  private func learn(isSleepNear: Bool) {
    guard state.learn(isSleepNear: isSleepNear) else { return }
    if isSleepNear {
      events.append(.sleepIsNear(SleepHold(inhibitor.take())))
    } else {
      events.append(.awake)
      // For a new inhibitor.
      askSoon()
    }
  }
}
