/// Something that packets go to. It never holds up who offers them.
package protocol PacketReceiver: Sendable {
  /// Comes before the track's first packet.
  func offer(_ track: Track)
  func offer(_ packet: MediaPacket)
}
