internal import HoldfastMediaModel
internal import HoldfastRTMP

/// One message of a stream, as it is passed on, kept and written.
struct StreamMessage: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case media(TrackKind)
    case metadata
    case data

    var isMedia: Bool { self != .metadata && self != .data }
  }

  let kind: Kind
  /// What its first bytes say of media.
  let tag: FLVTag
  let payload: [UInt8]

  init(_ track: TrackKind, _ payload: [UInt8]) {
    kind = .media(track)
    tag = track == .video ? FLVTag(video: payload) : FLVTag(audio: payload)
    self.payload = payload
  }

  /// `kind` is one of data.
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

  /// What comes later can't be understood without it: a codec's headers, or metadata.
  var isHeaders: Bool {
    switch tag {
    case .headers: true
    case .packet, .other: kind == .metadata
    }
  }

  var isPacket: Bool {
    switch tag {
    case .packet: true
    case .headers, .other: false
    }
  }

  /// A picture that a player can begin with.
  var isKeyPicture: Bool {
    switch tag {
    case .packet(_, let isKeyframe, _, _): isKeyframe && kind == .media(.video)
    case .headers, .other: false
    }
  }
}
