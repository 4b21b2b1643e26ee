import HoldfastFFmpeg
package import HoldfastMediaModel

/// What a file with a picture and sound holds.
package struct EncodedFile {
  package let tracks: [Track]
  /// In the order of their decode times.
  package let packets: [MediaPacket]

  package init(_ path: String) throws {
    var (tracks, packets): ([Track], [MediaPacket]) = ([], [])
    for kind in [TrackKind.video, .audio] {
      var reader = try PacketReader(path: path, kind: kind)
      tracks.append(reader.track)
      while let packet = try reader.next() { packets.append(packet) }
    }
    self.tracks = tracks
    self.packets = packets.sorted { $0.decodeTime < $1.decodeTime }
  }
}
