package import HoldfastMediaModel

extension Session {
  /// Who has joined, whether it is there or has gone away.
  package struct Member: Hashable, Sendable {
    package let id: ID
    package let identity: Identity
    package let credential: Credential
    package let kind: Kind
    package internal(set) var name: DisplayName
    package internal(set) var isManager = false
    package internal(set) var mute = Mute()
    package internal(set) var reported = Report()
    package internal(set) var isReady = false
    package internal(set) var sharesScreen = false
    /// When it was the speaker last.
    package internal(set) var spokeAt: WallTime?
    package internal(set) var place: Place

    package enum Kind: String, Hashable, Sendable, CaseIterable {
      case box, person
      /// Composes; not shown in the grid, never host.
      case programme
    }

    /// 16 random letters and digits.
    package struct ID: Hashable, Sendable, CustomStringConvertible {
      package let text: String

      package init?(_ text: String) {
        guard text.utf8.count == 16,
          text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        else { return nil }
        self.text = text
      }

      package var description: String { text }
    }

    /// What makes a member the same one after a crash, a reboot or a change of network.
    package struct Identity: Hashable, Sendable {
      /// A hash of the member's random key.
      package let key: String
      package let token: String?

      package init(key: String, token: String?) {
        self.key = key
        self.token = token
      }
    }

    package enum Place: Hashable, Sendable {
      case present(Lease, since: WallTime, isSilent: Bool)
      case away(Departure, lastSeen: WallTime)
    }

    /// What the member says of itself.
    package struct Report: Hashable, Sendable {
      package var condition: Condition
      package var muted: Set<TrackKind>
      /// What it does not have at all.
      package var lacking: Set<TrackKind>
      /// Its stream for small tiles is live.
      package var givesSmall: Bool

      package init(
        _ condition: Condition = .idle, muted: Set<TrackKind> = [], lacking: Set<TrackKind> = [],
        givesSmall: Bool = false
      ) {
        self.condition = condition
        self.muted = muted
        self.lacking = lacking
        self.givesSmall = givesSmall
      }
    }

    /// The state of the member's own broadcast.
    package enum Condition: String, Hashable, Sendable, CaseIterable {
      case idle, previewing, starting, live, interrupted, backgrounded, ending, ended
    }

    package var lease: Lease? {
      guard case .present(let lease, _, _) = place else { return nil }
      return lease
    }

    package var isPresent: Bool { lease != nil }

    /// The tracks of which others see or hear something.
    var delivered: Set<TrackKind> {
      Set(TrackKind.allCases).subtracting(reported.lacking.union(reported.muted).union(mute.muted))
    }

    var isSilent: Bool {
      guard case .present(_, _, let isSilent) = place else { return false }
      return isSilent
    }

    var mayBeHost: Bool { credential.mayBeHost && kind != .programme }
  }

  /// Why a member is not there. The raw values appear in events, a stable interface.
  package enum Departure: String, Hashable, Sendable, CaseIterable {
    /// It said so.
    case left
    /// Nothing was heard of it.
    case expired
    case removed
  }
}

extension Session {
  /// What of a member is silenced or blackened, by whom. Muted is what either says.
  package struct Mute: Hashable, Sendable {
    /// Only the member writes it.
    package var bySelf: Set<TrackKind> = []
    /// The host and managers write it.
    package var byOthers: Set<TrackKind> = []
    /// What the member is asked to lift of its own.
    package var asked: Set<TrackKind> = []

    package init() {}

    package var muted: Set<TrackKind> { bySelf.union(byOthers) }
  }
}

extension Session {
  /// A stream of a member: the main one, and one for small tiles where the member gives one. The numbers appear in the
  /// frames of tiles, a stable interface.
  package enum Rendition: UInt8, Hashable, Sendable, CaseIterable {
    case main = 0
    case small = 1
  }
}
