import HoldfastMediaModel
import HoldfastRTMP

/// A message of a stream, as relayed, cached and recorded.
struct StreamMessage: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case media(TrackKind)
    case metadata
    case data

    var isMedia: Bool { self != .metadata && self != .data }
  }

  let kind: Kind
  /// The parsed tag header; `.other` for data.
  let tag: FLVTag
  let payload: [UInt8]

  init(_ track: TrackKind, _ payload: [UInt8]) {
    kind = .media(track)
    tag = track == .video ? FLVTag(video: payload) : FLVTag(audio: payload)
    self.payload = payload
  }

  /// `kind` must not be media.
  init(_ kind: Kind, _ payload: [UInt8]) {
    self.kind = kind
    tag = .other
    self.payload = payload
  }

  var codec: Codec? {
    switch tag {
    case .headers(let codec, _), .packet(let codec, _, _, _): codec
    case .other: nil
    }
  }

  /// Whether later messages depend on it: codec headers or metadata.
  var isHeaders: Bool {
    if case .headers = tag { true } else { kind == .metadata }
  }

  var isPacket: Bool {
    if case .packet = tag { true } else { false }
  }

  /// Whether playback can start at this video frame.
  var isKeyframe: Bool {
    if case .packet(_, isKeyframe: true, _, _) = tag { kind == .media(.video) } else { false }
  }
}
