import HoldfastBroadcasting
package import HoldfastHTTP
package import HoldfastMediaModel
import HoldfastMixing

// MARK: - A programme of several tiles

extension BroadcasterControl {
  package func arrangeTiles(layout: String?, spotlight: String?) throws(APIError) -> JSONValue {
    let chosen = try layout.map { (text) throws(APIError) in
      guard let layout = Layout(rawValue: text) else {
        let names = Layout.allCases.map(\.rawValue).joined(separator: ", ")
        throw .badValue("layout", "unknown", hint: "use one of \(names)")
      }
      return layout
    }
    try changeTiles { () throws(ChangeError) in
      if let chosen { try broadcaster.setLayout(chosen) }
      if let spotlight { try broadcaster.setSpotlight(spotlight.isEmpty ? nil : spotlight) }
    }
    let choice = broadcaster.programme.current
    return ["layout": .text(choice.shownLayout.rawValue), "spotlight": JSONValue(choice.spotlight)]
  }

  package func muteTile(_ name: String, _ isMuted: Bool) throws(APIError) {
    try changeTiles { () throws(ChangeError) in try broadcaster.muteTile(name, isMuted) }
  }

  private func changeTiles(_ change: () throws(ChangeError) -> Void) throws(APIError) {
    do throws(ChangeError) { try change() } catch {
      guard error.kind == .notFound else { throw APIError(error) }
      throw APIError(404, "noSuchTile", error.what, hint: error.hint)
    }
  }

  /// Null without tiles.
  var programme: JSONValue {
    let cast = broadcaster.cast
    let isStage = (broadcaster.runningConfiguration ?? broadcaster.configuration).stage != nil
    guard isStage || !cast.requests.isEmpty else { return .null }
    let (choice, states) = (broadcaster.programme.current, broadcaster.tileStates)
    return [
      "layout": .text(choice.shownLayout.rawValue), "spotlight": JSONValue(choice.spotlight),
      "tiles": .list(
        cast.places.compactMap(\.self).map { part in
          let name = part.request.name
          return [
            "name": .text(name), "source": .text(part.request.source),
            "muted": .bool(part.isMuted || choice.mutedTiles.contains(name)),
            "device": .text(TrackStatus.Device(states[name]).rawValue),
          ]
        }),
    ]
  }
}
