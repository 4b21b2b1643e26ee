/// The place of an event in the order that all see, `epoch-sequence`.
package struct EventID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let epoch: UInt64
  package let sequence: UInt64

  package init(epoch: UInt64, sequence: UInt64) {
    self.epoch = epoch
    self.sequence = sequence
  }

  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt64(parts[0]), let sequence = UInt64(parts[1]) else { return nil }
    self.init(epoch: epoch, sequence: sequence)
  }

  package var description: String { "\(epoch)-\(sequence)" }

  package static func < (left: EventID, right: EventID) -> Bool {
    (left.epoch, left.sequence) < (right.epoch, right.sequence)
  }
}
