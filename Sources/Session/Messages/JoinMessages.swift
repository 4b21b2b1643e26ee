package import HoldfastMediaModel

extension Session {
  /// What a box or a person sends to join.
  package struct JoinRequest: Hashable, Sendable {
    /// The member's random key.
    package var key: String
    package var name: String
    package var kind: Member.Kind
    package var password: String?
    /// What the member is to be given besides its place.
    package var wants: Set<Want>
    /// What the hub signed last, from an earlier life of the store.
    package var proof: String?
    /// What others muted, and the member lifted while it had no hub for a lease.
    package var lifted: Set<TrackKind>
    /// The same id twice joins once.
    package var requestID: String?

    /// The raw values appear in requests, a stable interface.
    package enum Want: String, Hashable, Sendable, CaseIterable {
      /// An address to publish to.
      case ingest
      /// Another address, for a stream of small pictures.
      case ingestSmall
      /// An address to play members from.
      case play
    }

    package init(
      key: String, name: String, kind: Member.Kind, password: String? = nil, wants: Set<Want> = [],
      proof: String? = nil, lifted: Set<TrackKind> = [], requestID: String? = nil
    ) {
      self.key = key
      self.name = name
      self.kind = kind
      self.password = password
      self.wants = wants
      self.proof = proof
      self.lifted = lifted
      self.requestID = requestID
    }

    package var json: JSONValue {
      .compact([
        ("key", .text(key)), ("name", .text(name)), ("kind", .text(kind.rawValue)),
        ("password", JSONValue(password)),
        ("wants", .list(wants.map(\.rawValue).sorted().map(JSONValue.text))),
        ("proof", JSONValue(proof)), ("lifted", JSONValue(lifted)), ("requestId", JSONValue(requestID)),
      ])
    }
  }

  /// What a join gives.
  package struct JoinAnswer: Hashable, Sendable {
    package let member: Member.ID
    package let place: MemberPlace
    /// The session as it is, for people and pages.
    package let state: JSONValue

    package init(member: Member.ID, place: MemberPlace, state: JSONValue) {
      self.member = member
      self.place = place
      self.state = state
    }

    package var json: JSONValue { ["member": JSONValue(member)] + place.json + ["state": state] }

    /// Nil if it is not an answer to a join.
    package init?(_ json: JSONValue) {
      guard let member = json.field("member")?.memberID, let place = MemberPlace(json) else { return nil }
      self.init(member: member, place: place, state: json.field("state") ?? .null)
    }
  }

  /// What a member is given with its join, and anew with each beat.
  package struct MemberPlace: Hashable, Sendable {
    /// Signed by the hub; everything that the member says carries it.
    package var lease: String
    /// What the member is, signed by the hub: to be kept, and sent with the next join.
    package var proof: String
    package var role: Role
    package var desired = Desired()
    /// The last event that the answer knows of.
    package var lastEvent: String
    package var beatEvery: MediaTime
    /// Until when the session lasts; nil without a limit.
    package var endsAt: WallTime?
    /// Where to publish to, with a key; nil if the member did not want it, or the hub has no media server.
    package var ingest: String?
    /// Where to publish small pictures to.
    package var ingestSmall: String?
    /// Where to play members from, with a key and `{member}` in place of the member's id.
    package var play: String?

    package init(
      lease: String, proof: String, role: Role, desired: Desired = Desired(), lastEvent: String,
      beatEvery: MediaTime = Limits.beat, endsAt: WallTime? = nil, ingest: String? = nil,
      ingestSmall: String? = nil, play: String? = nil
    ) {
      self.lease = lease
      self.proof = proof
      self.role = role
      self.desired = desired
      self.lastEvent = lastEvent
      self.beatEvery = beatEvery
      self.endsAt = endsAt
      self.ingest = ingest
      self.ingestSmall = ingestSmall
      self.play = play
    }

    package var json: JSONValue {
      [
        "lease": .text(lease), "proof": .text(proof), "role": .text(role.rawValue), "desired": desired.json,
        "lastEvent": .text(lastEvent), "beatEvery": JSONValue(beatEvery),
        "endsAt": JSONValue(endsAt?.rfc3339), "ingest": JSONValue(ingest),
        "ingestSmall": JSONValue(ingestSmall), "play": JSONValue(play),
      ]
    }

    /// Where to publish each stream to.
    package var ingests: [Rendition: String] {
      [Rendition.main: ingest, .small: ingestSmall].compactMapValues(\.self)
    }

    package init?(_ json: JSONValue) {
      guard let lease = json.field("lease")?.text, let proof = json.field("proof")?.text,
        let role = json.field("role")?.word(Role.self), let lastEvent = json.field("lastEvent")?.text,
        let desired = json.field("desired").flatMap(Desired.init)
      else { return nil }
      self.init(
        lease: lease, proof: proof, role: role, desired: desired, lastEvent: lastEvent,
        beatEvery: json.field("beatEvery")?.seconds ?? Limits.beat,
        endsAt: json.field("endsAt")?.text.flatMap(WallTime.init(rfc3339:)),
        ingest: json.field("ingest")?.text, ingestSmall: json.field("ingestSmall")?.text,
        play: json.field("play")?.text)
    }
  }

  /// What the session wants of a member.
  package struct Desired: Hashable, Sendable {
    /// To be muted, by the member's own wish and by that of the host and managers, and to be asked to unmute.
    package var mute: Mute
    /// To show its screen in place of its camera.
    package var sharesScreen: Bool

    package init(mute: Mute = Mute(), sharesScreen: Bool = false) {
      self.mute = mute
      self.sharesScreen = sharesScreen
    }

    package var json: JSONValue {
      [
        "muted": JSONValue(mute.muted), "bySelf": JSONValue(mute.bySelf),
        "byOthers": JSONValue(mute.byOthers), "asked": JSONValue(mute.asked),
        "sharesScreen": .bool(sharesScreen),
      ]
    }

    package init?(_ json: JSONValue) {
      guard let muted = json.field("muted")?.tracks else { return nil }
      self.init(sharesScreen: json.field("sharesScreen") == .bool(true))
      mute.bySelf = json.field("bySelf")?.tracks ?? []
      mute.byOthers = json.field("byOthers")?.tracks ?? muted.subtracting(mute.bySelf)
      mute.asked = json.field("asked")?.tracks ?? []
    }
  }
}

extension JSONValue {
  /// A number of seconds, as a length of at most a day.
  package var seconds: MediaTime? {
    number.flatMap { (0...86_400).contains($0) ? MediaTime(seconds: $0) : nil }
  }
}
