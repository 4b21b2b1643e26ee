package import HoldfastMediaModel
package import HoldfastMixing

/// What happens to a programme of several tiles.
package enum ProgrammeEvent: Hashable, Sendable {
  case tile(String, TrackKind, BroadcastEvent.DeviceState, cause: String?)
  case layout(Layout, spotlight: String?)
  case tileMute(String, isMuted: Bool)

  /// As in event lines, a stable interface.
  package var name: String {
    switch self {
    case .tile: "tile"
    case .layout: "layout"
    case .tileMute: "tileMute"
    }
  }

  package var fields: [JSONValue.Field] {
    switch self {
    case .tile(let name, let track, let state, let cause):
      [
        .init("tile", .text(name)), .init("track", .text(track.rawValue)),
        .init("state", .text(state.rawValue)), .init("cause", JSONValue(cause)),
      ]
    case .layout(let layout, let spotlight):
      [.init("layout", .text(layout.rawValue)), .init("spotlight", JSONValue(spotlight))]
    case .tileMute(let name, let isMuted):
      [.init("tile", .text(name)), .init("muted", .bool(isMuted))]
    }
  }

  package var text: String {
    switch self {
    case .tile(let name, let track, let state, let cause):
      "tile \(name): \(track.rawValue) \(state.words)\(cause.map { ": \($0)" } ?? "")"
    case .layout(let layout, nil): "layout \(layout.rawValue)"
    case .layout(let layout, let spotlight?): "layout \(layout.rawValue), \(spotlight) large"
    case .tileMute(let name, let isMuted): "tile \(name) is \(isMuted ? "muted" : "unmuted")"
    }
  }

  /// It needs somebody's attention.
  package var isTrouble: Bool {
    switch self {
    case .tile(_, _, .lost, _), .tile(_, _, .busy, _): true
    case .tile(_, _, .open, _), .tile(_, _, .back, _), .layout, .tileMute: false
    }
  }
}

extension BroadcastEvent.DeviceState {
  fileprivate var words: String {
    switch self {
    case .open: "is there"
    case .back: "is back"
    case .lost: "is away"
    case .busy: "is in use by another program"
    }
  }
}
