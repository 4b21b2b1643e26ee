import TestSupport

/// How fast a host's commands are answered while strangers hold thousands of connections open and demand TLS handshakes,
/// and participants read slowly.
enum ControlAttack {
  static func run(_ arguments: Arguments) throws -> Bool {
    let seconds = try arguments.number(0, default: 30)
    try needDescriptors(HalfOpenFlood.connections + SlowParticipants.count + 512)
    return try AttackedRun(seconds: max(5, seconds), in: ScratchFolder()).run()
  }
}
