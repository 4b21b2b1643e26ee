import HoldfastMediaModel
package import HoldfastSession

/// What a member asks of its session. Members are named by their ids; nil is the member itself.
///
/// Later versions may add cases.
public enum SessionCommand: Hashable, Sendable {
  case rename(String? = nil, to: String)
  /// Hands the host's role over.
  case host(String)
  /// Takes the host's role back that was lost by being away.
  case reclaim
  /// Makes a manager.
  case manager(String)
  /// Makes a manager a participant again.
  case revoke(String)
  /// Keeps a member out until the session is over or it is readmitted.
  case remove(String)
  case readmit(String)
  case mute(String? = nil, Set<TrackKind> = [.audio])
  /// Lifts what the caller may lift; for a member's own mute it asks the member.
  case unmute(String? = nil, Set<TrackKind> = [.audio])
  /// The answer to being asked to unmute oneself.
  case answer(agrees: Bool)
  /// Mutes everybody but the host, managers and programmes.
  case muteAll(Set<TrackKind> = [.audio])
  /// Lets nobody new join.
  case lock
  case unlock
  case lockScreens
  case unlockScreens
  case shareScreen
  case unshareScreen
  /// Nil lifts it.
  case password(String?)
  /// How long the session lasts from its first live member on; nil lifts the limit.
  case limit(Duration?)
  case extend(by: Duration)
  /// Says ready, until the member joins again.
  case ready
  /// An event for all members; `data` is JSON.
  case event(String, data: String = "null")
  /// Puts the session's programme on air at these addresses.
  case live([String])
  case offAir
  /// Ends the session for all.
  case end
}

extension SessionCommand {
  /// As it is sent. `id` makes a repeat count once.
  package func request(id: String) throws(SessionError) -> HoldfastSession.Session.CommandRequest {
    HoldfastSession.Session.CommandRequest(try given(id: id), requestID: id)
  }

  private func given(id: String) throws(SessionError) -> HoldfastSession.Session.CommandRequest.Given {
    switch self {
    case .rename(let member, let name):
      .command(.rename(try member.map(Self.member), try Self.displayName(name)))
    case .host(let member): .command(.host(try Self.member(member)))
    case .reclaim: .command(.reclaim)
    case .manager(let member): .command(.manager(try Self.member(member)))
    case .revoke(let member): .command(.revoke(try Self.member(member)))
    case .remove(let member): .command(.remove(try Self.member(member)))
    case .readmit(let member): .command(.readmit(try Self.member(member)))
    case .mute(let member, let tracks):
      .command(.mute(try member.map(Self.member), try Self.inner(tracks)))
    case .unmute(let member, let tracks):
      .command(.unmute(try member.map(Self.member), try Self.inner(tracks)))
    case .answer(let agrees): .command(.answer(agrees))
    case .muteAll(let tracks): .command(.muteAll(try Self.inner(tracks)))
    case .lock: .command(.lock)
    case .unlock: .command(.unlock)
    case .lockScreens: .command(.lockScreens)
    case .unlockScreens: .command(.unlockScreens)
    case .shareScreen: .command(.share)
    case .unshareScreen: .command(.unshare)
    case .password(let password): .password(password)
    case .limit(let length): .command(.limit(length.map { MediaTime($0) }))
    case .extend(let more): .command(.extend(MediaTime(more), request: id))
    case .ready: .command(.ready)
    case .event(let name, let data): .command(.event(try Self.event(name, data)))
    case .live(let outputs): .live(outputs: outputs)
    case .offAir: .command(.offAir)
    case .end: .command(.end)
    }
  }

  private static func member(_ id: String) throws(SessionError) -> HoldfastSession.Session.Member.ID {
    guard let id = HoldfastSession.Session.Member.ID(id) else {
      throw .badValue("not a member's id", hint: "use an id of the session's state")
    }
    return id
  }

  private static func inner(
    _ tracks: Set<TrackKind>
  ) throws(SessionError) -> Set<HoldfastMediaModel.TrackKind> {
    guard !tracks.isEmpty else { throw .badValue("no track is named", hint: "name video, audio or both") }
    return Set(tracks.map { HoldfastMediaModel.TrackKind(as: $0) })
  }

  private static func displayName(
    _ text: String
  ) throws(SessionError) -> HoldfastSession.Session.DisplayName {
    do { return try HoldfastSession.Session.DisplayName(text) } catch {
      throw .badValue(error.message, hint: error.hint)
    }
  }

  private static func event(
    _ name: String, _ data: String
  ) throws(SessionError) -> HoldfastSession.Session.CustomEvent {
    guard let json = try? JSONValue(reading: Array(data.utf8).span) else {
      throw .badValue("the event's data is not JSON", hint: #"put text in quotes: "\"text\"""#)
    }
    do { return try HoldfastSession.Session.CustomEvent(name: name, data: json) } catch {
      throw .badValue(error.message, hint: error.hint)
    }
  }
}
