/// What logind tells of the machine and of our session.
package enum LogindEvent: Sendable {
  /// The machine is about to sleep, as soon as the hold is released.
  case sleepIsNear(SleepHold)
  case awake
  case sessionLocked, sessionUnlocked
  /// Another session has the screen, the keyboard and the devices.
  case sessionInactive, sessionActive
  /// How the session is has been told, for the first time since nothing was known.
  case sessionIsKnown
  /// There is no session to watch, or no news of it, and why; said once until it is known again.
  case sessionIsUnknown(String)
  /// Something that does not work, in words for a person; each is said once until it has worked again.
  case note(String)
}
