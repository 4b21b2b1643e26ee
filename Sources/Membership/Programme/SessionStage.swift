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
    switch (event.name, event.member) {
    case ("reset", _): reset(by: event.data)
    case ("stage", _): place(by: event.data.field("grids"))
    case ("speaker", let id): speaker = id
    case ("joined", let id?):
      members[id, default: Member(name: "")].name = event.data.field("name")?.text ?? ""
      members[id]?.reportedMuted = []
      sharing.removeAll { $0 == id }
    case ("left", let id?): sharing.removeAll { $0 == id }
    case ("removed", let id?): members[id] = nil
    case ("renamed", let id?): members[id]?.name = event.data.field("name")?.text ?? ""
    case ("muted", let id?): changeMute(of: id, event) { $0.formUnion($1) }
    case ("unmuted", let id?): changeMute(of: id, event) { $0.subtract($1) }
    case ("reported", let id?):
      if let muted = event.data.field("muted")?.tracks { members[id]?.reportedMuted = muted }
      if let shares = event.data.field("sharesScreen")?.flag {
        sharing.removeAll { $0 == id }
        if shares { sharing.append(id) }
      }
    default: break
    }
  }

  private mutating func changeMute(
    of id: Session.Member.ID, _ event: HubEvent, _ change: (inout Set<TrackKind>, Set<TrackKind>) -> Void
  ) {
    guard var member = members[id], let tracks = event.data.field("tracks")?.tracks else { return }
    switch event.data.field("by")?.word(Session.MutedBy.self) {
    case .oneself: change(&member.mutedBySelf, tracks)
    case .others: change(&member.mutedByOthers, tracks)
    case nil: break
    }
    members[id] = member
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
    place(by: state.field("stage"))
  }

  private mutating func place(by grids: JSONValue?) {
    let grid = grids?.elements?.first { $0.field("capacity")?.integer == Int64(capacity.rawValue) }
    guard let grid = grid?.field("places")?.elements else { return }
    places = grid.map(\.memberID)
  }
}
