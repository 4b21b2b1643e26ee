package import HoldfastMediaModel

extension Session {
  /// What a join or the taking of a job gives: everything said afterwards carries it.
  package struct Lease: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let epoch: UInt64
    package let sequence: UInt64

    package init(epoch: UInt64, sequence: UInt64) {
      self.epoch = epoch
      self.sequence = sequence
    }

    package init?(_ text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let epoch = UInt64(parts[0]), let sequence = UInt64(parts[1]) else {
        return nil
      }
      self.init(epoch: epoch, sequence: sequence)
      // One spelling each: no sign, no leading zero.
      guard description == text else { return nil }
    }

    package var description: String { "\(epoch).\(sequence)" }

    package static func < (left: Lease, right: Lease) -> Bool {
      (left.epoch, left.sequence) < (right.epoch, right.sequence)
    }

    /// Why this lease is refused where `newest` is the one that counts; nil if it is that one.
    func refusal(newest: Lease, epoch current: UInt64) -> Refusal? {
      if epoch != current { return .leaseOver }
      if self == newest { return nil }
      return self < newest ? .superseded : .leaseOver
    }
  }

  /// The life of a store's data. A store that may have forgotten something begins a new one.
  package struct Epoch: Hashable, Sendable {
    package let number: UInt64
    /// Nil for a store that has nothing to forget.
    package let began: WallTime?

    package init(number: UInt64, began: WallTime? = nil) {
      self.number = number
      self.began = began
    }

    /// Until then members prove what they were, and nobody else becomes host.
    var recoversUntil: WallTime? { began.map { $0 + Limits.lease } }
  }
}
