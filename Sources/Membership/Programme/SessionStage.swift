import HoldfastMediaModel
package import HoldfastSession

/// A session's stage as a programme shows it: who is in which place, folded over what the hub says. While no hub is heard,
/// it stays as it was.
package struct SessionStage: Hashable, Sendable {
  package struct Performer: Hashable, Sendable {
    package let id: Session.Member.ID
    /// Of its own among all performers.
    package var name: String
    /// Nobody hears it.
    package let isMuted: Bool
    /// Where it is played from, with a key; nil where the hub plays nobody.
    package let address: String?
  }

  private struct Member: Hashable {
    var name: String
    var mutedBySelf: Set<TrackKind> = []
    var mutedByOthers: Set<TrackKind> = []
    var reportedMuted: Set<TrackKind> = []

    var isMuted: Bool {
      mutedBySelf.contains(.audio) || mutedByOthers.contains(.audio) || reportedMuted.contains(.audio)
    }
  }

  private let capacity: Session.Stage.Capacity
  /// Also who has left, as a mute outlasts an absence.
  private var members: [Session.Member.ID: Member] = [:]
  private var places: [Session.Member.ID?] = []
  private var speaker: Session.Member.ID?
  /// Who shares a screen, the newest last.
  private var sharing: [Session.Member.ID] = []
  /// Where members are played from, with `{member}` in place of the id.
  private var play: String?
  private var seen: EventID?
  /// The session has said who is on its stage.
  package private(set) var isKnown = false

  package init(_ capacity: Session.Stage.Capacity) { self.capacity = capacity }
}

// MARK: - What is shown

extension SessionStage {
  /// Whether the hub plays members.
  package var canPlay: Bool { play != nil }

  /// By place; nil is one that is free.
  package var performers: [Performer?] {
    let names = distinctNames
    return places.map { id in
      guard let id, let member = members[id] else { return nil }
      return Performer(
        id: id, name: names[id] ?? member.name, isMuted: member.isMuted,
        address: play?.replacing("{member}", with: id.text))
    }
  }

  /// Who is shown large where one is: the newest screen, else who speaks.
  package var large: Session.Member.ID? {
    let visible = Set(places.compactMap(\.self))
    return sharing.last { visible.contains($0) } ?? speaker.flatMap { visible.contains($0) ? $0 : nil }
  }

  /// Members of one name are numbered.
  private var distinctNames: [Session.Member.ID: String] {
    var count: [String: Int] = [:]
    var names: [Session.Member.ID: String] = [:]
    for id in places.compactMap(\.self).sorted(by: { $0.text < $1.text }) {
      guard let name = members[id]?.name else { continue }
      let number = count[name, default: 0] + 1
      count[name] = number
      names[id] = number == 1 ? name : "\(name) (\(number))"
    }
    return names
  }
}

// MARK: - What the hub says

extension SessionStage {
  package mutating func note(_ event: MembershipMachine.Event) {
    switch event {
    case .joined(_, let answer):
      seen = EventID(answer.place.lastEvent)
      play = answer.place.play
      reset(by: answer.state)
    case .beaten(_, let answer): play = answer.place.play
    case .streamed(_, let event): follow(event)
    case .started, .timePassed, .networkChanged, .reported, .measured, .screenShown, .screenSwitched,
      .sourcesOpened, .ordered, .passwordGiven, .leaveRequested, .broadcastEnded, .broadcastRenewed,
      .commanded, .left, .failed, .streamOpened, .streamClosed:
      break
    }
  }

  private mutating func follow(_ event: HubEvent) {
    if let id = event.id {
      if let seen, id <= seen { return }
      seen = id
    }
    switch event.kind {
    case .reset: reset(by: event.data)
    case .session(let event): follow(event)
    case .came(let id, let name): add(id, name)
    case .went(let id): sharing.removeAll { $0 == id }
    case .bye, .failed, .other: break
    }
  }

  private mutating func follow(_ event: Session.Event) {
    switch event {
    case .stage(let grids): place(by: grids)
    case .speaker(let id): speaker = id
    case .joined(let id, let name, _, _, _): add(id, name.text)
    case .left(let id, _, _): sharing.removeAll { $0 == id }
    case .removed(let id): members[id] = nil
    case .renamed(let id, let name): members[id]?.name = name.text
    case .muted(let id, let tracks, .oneself): members[id]?.mutedBySelf.formUnion(tracks)
    case .muted(let id, let tracks, .others): members[id]?.mutedByOthers.formUnion(tracks)
    case .unmuted(let id, let tracks, .oneself): members[id]?.mutedBySelf.subtract(tracks)
    case .unmuted(let id, let tracks, .others): members[id]?.mutedByOthers.subtract(tracks)
    case .reported(let id, .muted(let tracks)): members[id]?.reportedMuted = tracks
    case .reported(let id, .sharesScreen(let shares)):
      sharing.removeAll { $0 == id }
      if shares { sharing.append(id) }
    case .hostChanged, .managerMade, .managerRevoked, .readmitted, .unmuteAsked, .unmuteDeclined, .locked,
      .unlocked, .screensLocked, .screensUnlocked, .passwordChanged, .timer, .ready, .event, .reported,
      .onAir, .ended:
      break
    }
  }

  private mutating func add(_ id: Session.Member.ID, _ name: String) {
    members[id, default: Member(name: "")].name = name
    members[id]?.reportedMuted = []
    sharing.removeAll { $0 == id }
  }

  /// By the session's whole state. One without members says nothing.
  private mutating func reset(by state: JSONValue) {
    guard let present = state.field("members")?.elements else { return }
    isKnown = true
    sharing = []
    for json in present {
      guard let id = json.field("id")?.memberID, let name = json.field("name")?.text else { continue }
      members[id] = Member(
        name: name, mutedBySelf: json.field("mutedBySelf")?.tracks ?? [],
        mutedByOthers: json.field("mutedByOthers")?.tracks ?? [],
        reportedMuted: json.field("reportedMuted")?.tracks ?? [])
      if json.field("sharesScreen")?.flag == true { sharing.append(id) }
    }
    speaker = state.field("speaker")?.memberID
    place(by: (state.field("stage")?.elements ?? []).compactMap { Session.Stage.Shown($0) })
  }

  private mutating func place(by grids: [Session.Stage.Shown]) {
    if let grid = grids.first(where: { $0.capacity == capacity }) { places = grid.places }
  }
}
