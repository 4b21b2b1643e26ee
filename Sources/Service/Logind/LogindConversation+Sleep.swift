extension LogindConversation {
  func listenForSleep() throws(BusError) {
    try bus.listen(
      "type='signal',sender='\(Self.logind)',interface='\(Self.manager)',member='PrepareForSleep'"
    ) { [unowned self] message in
      if let isNear = try? message.readBool() { update(isSleepNear: isNear) }
    }
  }

  /// Requests the current value, as a signal may have been missed.
  func requestSleepState() throws(BusError) {
    try bus.call(Self.property("PreparingForSleep", of: Self.manager, at: Self.managerPath)) {
      [unowned self] reply in
      // A missing reply is noted with the inhibitor.
      if case .success(let message) = reply, let isNear = try? message.readVariantBool() {
        update(isSleepNear: isNear)
      }
    }
  }

  func takeInhibitor() throws(BusError) {
    let arguments = ["sleep", "Holdfast", "finishing the recording", "delay"]
    try bus.call(Self.managerCall("Inhibit", arguments)) { [unowned self] reply in
      // It would delay a sleep already announced; logind refuses it then, too.
      if state.isSleepNear { return }
      do throws(BusError) {
        inhibitor = try reply.get().readDescriptor()
        state.noteSuccess(.inhibitor)
      } catch {
        noteFailure(.inhibitor, "the machine may sleep before the recording is finished", error)
      }
    }
  }

  private func update(isSleepNear: Bool) {
    guard state.update(isSleepNear: isSleepNear) else { return }
    if isSleepNear {
      events.append(.sleepIsNear(SleepHold(inhibitor.take())))
    } else {
      events.append(.awake)
      // Takes a new inhibitor.
      scheduleRefresh()
    }
  }
}
