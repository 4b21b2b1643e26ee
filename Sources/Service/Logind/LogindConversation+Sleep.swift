extension LogindConversation {
  func listenForRest() throws(BusError) {
    for rest in LogindState.Rest.allCases {
      try bus.listen(
        "type='signal',sender='\(Self.logind)',interface='\(Self.manager)',member='PrepareFor\(rest.rawValue)'"
      ) { [unowned self] message in
        if let isNear = try? message.readBool() { update(rest, isNear: isNear) }
      }
    }
  }

  /// Requests the current values, as a signal may have been missed.
  func requestRestState() throws(BusError) {
    for rest in LogindState.Rest.allCases {
      try bus.call(
        Self.property("PreparingFor\(rest.rawValue)", of: Self.manager, at: Self.managerPath)
      ) { [unowned self] reply in
        // A missing reply is noted with the inhibitor.
        if case .success(let message) = reply, let isNear = try? message.readVariantBool() {
          update(rest, isNear: isNear)
        }
      }
    }
  }

  func takeInhibitor() throws(BusError) {
    let arguments = ["sleep:shutdown", "Holdfast", "finishing the recording", "delay"]
    try bus.call(Self.managerCall("Inhibit", arguments)) { [unowned self] reply in
      // It would delay what is already announced; logind refuses it then, too.
      if state.isRestNear { return }
      do throws(BusError) {
        inhibitor = try reply.get().readDescriptor()
        state.noteSuccess(.inhibitor)
      } catch {
        noteFailure(.inhibitor, "the machine may sleep before the recording is finished", error)
      }
    }
  }

  private func update(_ rest: LogindState.Rest, isNear: Bool) {
    guard state.update(rest, isNear: isNear) else { return }
    if isNear {
      let hold = RestHold(inhibitor.take())
      events.append(rest == .sleep ? .sleepIsNear(hold) : .shutdownIsNear(hold))
    } else {
      events.append(rest == .sleep ? .awake : .shutdownIsCancelled)
      // Takes a new inhibitor.
      scheduleRefresh()
    }
  }
}
