import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import TestSupport

/// Reads the tiles of a page, as that would.
final class TileReader {
  struct Frame: Hashable {
    enum Kind: UInt8 { case head, media, lost, padding }

    let kind: Kind
    let isSound: Bool
    let rendition: UInt8
    let member: String
    let bytes: [UInt8]

    /// Of a head: its type.
    var type: String { String(decoding: bytes.dropFirst().prefix(Int(bytes.first ?? 0)), as: UTF8.self) }
    /// What a player gets of it.
    var media: [UInt8] { kind == .head ? Array(bytes.dropFirst(Int(bytes.first ?? 0) + 1)) : bytes }
  }

  private let client: WireClient
  private var read = 0
  private(set) var frames: [Frame] = []

  /// `query` is that of the request: `members=ID,ID`.
  init(_ query: String, at hub: TestHub, as member: TestHub.Member) throws {
    client = try hub.open("/v1/sessions/Hall/live?\(query)", token: member.token, lease: member.lease)
  }

  /// Whether the frames are so before a generous limit.
  func wait(until condition: ([Frame]) -> Bool) -> Bool {
    let deadline = generousDeadline
    while !condition(frames) {
      guard client.receive(until: deadline) else { return false }
      parse()
    }
    return true
  }

  func waitForEnd() -> Bool {
    while client.receive(until: generousDeadline) {}
    return client.isOver
  }

  private func parse() {
    let all = client.received
    if read == 0 {
      let blank = Array("\r\n\r\n".utf8)
      guard all.count >= 4,
        let end = (0...all.count - 4).first(where: { all[$0..<$0 + 4].elementsEqual(blank) })
      else { return }
      read = end + 4
    }
    while all.count >= read + 8 {
      let length = all[read..<read + 4].reduce(0) { $0 << 8 | Int($1) }
      guard all.count >= read + 4 + length, let kind = Frame.Kind(rawValue: all[read + 4]) else { return }
      let (idLength, start) = (Int(all[read + 7]), read + 8)
      frames.append(
        Frame(
          kind: kind, isSound: all[read + 5] == 1, rendition: all[read + 6],
          member: String(decoding: all[start..<start + idLength], as: UTF8.self),
          bytes: Array(all[start + idLength..<read + 4 + length])))
      read += 4 + length
    }
  }
}
