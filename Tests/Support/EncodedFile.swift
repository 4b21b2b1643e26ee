import HoldfastFFmpeg
package import HoldfastMediaModel

/// What a file with a picture and sound holds.
package struct EncodedFile {
  package private(set) var tracks: [Track] = []
  /// In the order of their decode times.
  package private(set) var packets: [MediaPacket] = []

  package init(_ path: String) throws {
    for kind in [TrackKind.video, .audio] {
      var reader = try PacketReader(path: path, kind: kind)
      tracks.append(reader.track)
      while let packet = try reader.next() { packets.append(packet) }
    }
    packets.sort { $0.decodeTime < $1.decodeTime }
  }
}
