/// Counts the pictures that are missing between two that were used, from the driver's numbers; drivers that don't count
/// leave only those that we threw away ourselves.
struct CameraLosses: Hashable {
  private var last: UInt32?
  private var unused = 0

  /// Pictures lost right before number `sequence`. Numbers may wrap round, and start anew after a reset.
  func before(_ sequence: UInt32) -> Int {
    guard let last else { return unused }
    let steps = Int(Int32(bitPattern: sequence &- last))
    return max(steps - 1, unused)
  }

  mutating func use(_ sequence: UInt32) {
    last = sequence
    unused = 0
  }

  /// A picture came and could not be used.
  mutating func leaveOut() {
    unused += 1
  }
}
