/// What can be allowed to somebody.
package enum Capability: String, Hashable, Sendable, CaseIterable {
  /// See how the broadcast is: its status, events, sources, pictures and figures.
  case view
  case mute
  /// Pause it, and go on.
  case interrupt
  case switchCamera
  case bitrate
  /// Put data into the outputs, and answer the gate.
  case sendEvent
  case changeMaxDuration
  /// Begin it, end it, and what else decides whether there is one.
  case end
  /// Give out tokens, and take them back.
  case grant
}
