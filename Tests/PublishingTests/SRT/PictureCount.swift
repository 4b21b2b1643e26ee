/// Counts a transport stream's pictures as a receiver of a stream that goes on: the last one counts when its length is
/// reached or the next one begins.
func completePictures(in stream: [UInt8], videoID: Int = 0x100) -> Int {
  var (complete, expected, received) = (0, 0, 0)
  for start in stride(from: 0, to: stream.count, by: 188) {
    let packet = stream[start..<start + 188]
    guard Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2]) == videoID else { continue }
    var content = start + 4
    if packet[start + 3] & 0x20 != 0 { content += 1 + Int(packet[content]) }
    if packet[start + 1] & 0x40 != 0 {
      if expected == 0, received > 0 { complete += 1 }
      expected = Int(packet[content + 4]) << 8 | Int(packet[content + 5])
      // An empty one, as at the end, has three bytes after its length.
      received = expected == 3 ? 0 : -6
    }
    received += start + 188 - content
    if expected > 3, received == expected { complete += 1 }
  }
  return complete
}
