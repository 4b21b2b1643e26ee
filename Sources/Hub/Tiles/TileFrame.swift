import HoldfastMediaModel
import HoldfastSession

/// A piece of the response that carries all tiles of a page: who it is of, and what. The numbers are a stable interface.
struct TileFrame: Hashable {
  enum Content: Hashable {
    /// What is needed to play the track; takes the place of what was there before.
    case head(type: String, bytes: [UInt8])
    case media([UInt8])
    /// Nothing until the next head.
    case lost(why: String)
    /// Shows that the connection is there.
    case padding

    fileprivate var number: UInt8 {
      switch self {
      case .head: 0
      case .media: 1
      case .lost: 2
      case .padding: 3
      }
    }
  }

  var member: Session.Member.ID?
  var track = TrackKind.video
  var rendition = Session.Rendition.main
  let content: Content

  /// The length of what follows, kind, track, rendition, the member's id and its length, and the content.
  var bytes: [UInt8] {
    let id = Array((member?.text ?? "").utf8)
    let body = body
    let length = 4 + id.count + body.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length + 4)
    bytes.append(bigEndian: UInt64(length), count: 4)
    bytes += [content.number, track == .video ? 0 : 1, rendition.rawValue, UInt8(id.count)]
    bytes += id
    bytes += body
    return bytes
  }

  private var body: [UInt8] {
    switch content {
    case .head(let type, let bytes): [UInt8(clamping: type.utf8.count)] + Array(type.utf8) + bytes
    case .media(let bytes): bytes
    case .lost(let why): Array((["why": .text(why)] as JSONValue).description.utf8)
    case .padding: []
    }
  }
}
