package import HoldfastMediaModel

/// A receiver of packets that a program supplies. One object is one receiver.
package struct SuppliedReceiver: Hashable, Sendable {
  let receiver: any PacketReceiver & AnyObject

  package init(_ receiver: any PacketReceiver & AnyObject) {
    self.receiver = receiver
  }

  package static func == (one: Self, other: Self) -> Bool { one.receiver === other.receiver }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(receiver))
  }
}
