import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// What members publish, as pages show it.
extension SessionRoutes {
  /// Of one page: as many as the largest grid has places.
  private static let maxTiles = Session.Stage.Capacity.twelve.rawValue

  /// The pictures of `members`, small ones of `small`, and the sounds of `sound`, for as long as somebody looks.
  func live(_ place: Place) throws(APIError) -> HTTPResponse {
    let query = place.call.request.query
    let large = try Self.members(query["members"], "members")
    let small = try Self.members(query["small"], "small")
    let sounds = try Self.members(query["sound"], "sound")
    guard !(large + small + sounds).isEmpty else {
      throw .badValue(
        "members", "no member is named",
        hint: "write ?members=ID,ID or ?small=ID,ID to see, and &sound=ID,ID to hear")
    }
    guard Set(large + small).count == large.count + small.count, large.count + small.count <= Self.maxTiles
    else {
      throw .badValue(
        "small", "one of members too, or more than \(Self.maxTiles) with these",
        hint: "name each member once")
    }
    let (reader, loaded) = try watch(place)
    let pictures = try holds(large, loaded) + holds(small, loaded, .small)
    let stream = TileStream(
      pictures: pictures, sounds: try holds(sounds, loaded), reader, for: place.caller(), at: .now)
    return HTTPResponse(contentType: "application/octet-stream", stream: stream)
  }

  func still(_ place: Place) throws(APIError) -> HTTPResponse {
    let ids = try Self.members(place.call.parameters.last, "member")
    let (reader, loaded) = try watch(place)
    guard let hold = try holds(ids, loaded).first, let jpeg = hold.tile.still(at: .now) else {
      throw APIError(
        404, "noPicture", "there is no picture of this member yet",
        hint: "ask again: it comes with the next keyframe of a member that is live", retryAfter: .seconds(1))
    }
    return withExtendedLifetime(reader) { HTTPResponse(contentType: "image/jpeg", body: jpeg) }
  }

  private func watch(_ place: Place) throws(APIError) -> (reader: FeedReader, loaded: LoadedSession) {
    guard hub.tiles.canPlay else {
      throw APIError(
        404, "notLive", "this hub plays nobody", hint: "start it with its media server, or with --play")
    }
    return try hub.act(changes: false) { store throws(HubFailure) in
      try hub.feeds.watch(place.name, for: place.caller(), by: hub.service, in: &store)
    }
  }

  /// Who is not there has no tile, and who gives no small stream the main one.
  private func holds(
    _ ids: [Session.Member.ID], _ loaded: LoadedSession, _ rendition: Session.Rendition = .main
  ) throws(APIError) -> [MemberTiles.Hold] {
    var holds: [MemberTiles.Hold] = []
    for id in ids {
      guard let member = loaded.session.meeting?[id], member.isPresent else { continue }
      let source = MemberTiles.Source(member: id, rendition: member.reported.givesSmall ? rendition : .main)
      let hold = try mapError(
        hub.tiles.hold(source, in: loaded.session.name, epoch: loaded.version.epoch)
      ) { (error: SystemError) in Self.noRoom("\(error)") }
      guard let hold else {
        throw Self.noRoom("\(MemberTiles.maxTiles) members are being watched, which is the limit")
      }
      holds.append(hold)
    }
    return holds
  }

  private static func noRoom(_ why: String) -> APIError {
    APIError(503, "noRoom", why, hint: "try again later", retryAfter: .seconds(10))
  }

  private static func members(_ text: String?, _ name: String) throws(APIError) -> [Session.Member.ID] {
    let words = (text ?? "").split(separator: ",")
    let ids = words.compactMap { Session.Member.ID(String($0)) }
    guard ids.count == words.count, ids.count <= maxTiles, Set(ids).count == ids.count else {
      throw .badValue(
        name, "not a list of up to \(maxTiles) ids of members",
        hint: "write ids as the session's state has them")
    }
    return ids
  }
}
