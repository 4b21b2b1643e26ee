import HoldfastPlatform
import TestSupport

/// `bench-control-attack [SECONDS]`: how fast a host's commands are answered while strangers hold thousands of
/// connections open and demand TLS handshakes, and participants read slowly.
@main enum ControlAttack {
  static func main() {
    Measurement.run("bench-control-attack [SECONDS]") { numbers in
      let needed = HalfOpenFlood.connections + SlowParticipants.count + 512
      guard raiseDescriptorLimit(to: needed) >= needed else {
        throw TestFailure("this shell allows too few open files (ulimit -n)")
      }
      return try AttackedRun(seconds: max(5, numbers.number(0, default: 30)), in: ScratchFolder()).run()
    }
  }
}
