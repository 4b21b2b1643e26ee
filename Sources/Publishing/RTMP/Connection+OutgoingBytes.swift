import HoldfastMediaModel
import HoldfastPlatform

extension Connection {
  mutating func write(from outgoing: inout OutgoingBytes) throws(ConnectionError) {
    while !outgoing.isEmpty {
      let taken = try outgoing.withUnsent { bytes throws(ConnectionError) in try write(bytes) }
      guard taken > 0 else { return }
      outgoing.removeFirst(taken)
    }
  }
}
