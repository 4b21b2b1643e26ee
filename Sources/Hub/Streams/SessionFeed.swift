import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// What has happened in one session since somebody reads it here, shared by all of its readers.
final class SessionFeed: Sendable {
  struct Contents: Sendable {
    /// The session as it was last loaded.
    var latest: LoadedSession
    /// Of this epoch, without a hole.
    var events: [Frame] = []
    /// The last event that was read from the store.
    var last: EventID
    var readers = 0
    /// Of these, who is told how loud the members are.
    var listeners = 0
    /// The store has begun anew, or has forgotten what comes next: readers come again and get the state.
    var isBroken = false
    var levels = Levels()
  }

  /// The loudness at each member, for meters; it has no place in the order of events.
  struct Levels: Sendable {
    /// Counts what readers are told.
    fileprivate(set) var count = 0
    fileprivate(set) var frame: [UInt8] = []
    fileprivate var told = MonotonicTime(nanoseconds: 0)
    /// Until when nobody has to ask the store: its answers come with the levels that members send here, or nobody speaks.
    fileprivate var knownUntil = MonotonicTime(nanoseconds: 0)

    /// Every member of a large session says more than readers can use.
    fileprivate static let interval = MediaTime.milliseconds(250)
    /// Members who speak send theirs each 300 ms.
    fileprivate static let afterOwn = MediaTime.milliseconds(600)
    fileprivate static let afterSilence = MediaTime.seconds(2)
  }

  /// How levels came.
  enum LevelsOrigin {
    /// A member sent its own to this hub.
    case member
    /// The store was asked for those that came to other hubs.
    case store
  }

  struct Frame: Sendable {
    let id: EventID
    let bytes: [UInt8]
  }

  enum Next {
    case event(Frame)
    case nothing
    /// Too far behind, or ahead because the store has gone back: the reader comes again and gets the state.
    case expired
    /// The reader's own place in the session has ended, or its right to see it.
    case over
  }

  let name: Session.Name
  private let contents: Locked<Contents>

  init(_ loaded: LoadedSession) {
    name = loaded.session.name
    contents = Locked(Contents(latest: loaded, last: loaded.lastEvent))
  }

  var last: EventID { contents.withLock { $0.last } }
  var readers: Int { contents.withLock { $0.readers } }
  var isBroken: Bool { contents.withLock { $0.isBroken } }
  var latest: LoadedSession { contents.withLock { $0.latest } }

  /// The number of readers afterwards.
  func count(_ change: Int) -> Int {
    contents.withLock { contents in
      contents.readers += change
      return contents.readers
    }
  }

  /// Whether a reader may go on; also false where its reading has to begin anew.
  func admits(_ reader: Session.Caller) -> Bool {
    contents.withLock { !$0.isBroken && $0.latest.admits(reader) }
  }

  var levels: Levels { contents.withLock { $0.levels } }

  func countListeners(_ change: Int) { contents.withLock { $0.listeners += change } }

  /// Whether somebody here may be looking at meters, and what they show comes to other hubs only.
  func lacksLevels(at now: MonotonicTime) -> Bool {
    contents.withLock { contents in
      contents.listeners > 0 && contents.latest.session.meeting?.speaker != nil
        && now >= contents.levels.knownUntil
    }
  }

  /// Returns whether readers are to be told.
  func take(_ levels: [Session.Lease: Int], from origin: LevelsOrigin, at now: MonotonicTime) -> Bool {
    contents.withLock { contents in
      switch origin {
      case .member: contents.levels.knownUntil = now + Levels.afterOwn
      case .store where levels.isEmpty:
        contents.levels.knownUntil = now + Levels.afterSilence
        return false
      case .store: break
      }
      guard now - contents.levels.told >= Levels.interval, let meeting = contents.latest.session.meeting
      else { return false }
      let fields = meeting.present.compactMap { member in
        member.lease.flatMap { levels[$0] }.map { JSONValue.Field(member.id.text, .integer(Int64($0))) }
      }
      contents.levels.count += 1
      contents.levels.told = now
      contents.levels.frame = EventHistory.frame(name: "levels", data: JSONValue.object(fields).description)
      return true
    }
  }

  /// Its readers come again.
  func markBroken() { contents.withLock { $0.isBroken = true } }

  func take(_ page: EventPage, _ loaded: LoadedSession) {
    contents.withLock { contents in
      // Two threads may have read the same.
      if !contents.latest.version.isNewer(than: loaded.version) { contents.latest = loaded }
      guard case .events(let events) = page,
        case let new = events.filter({ $0.id > contents.last }), new.follow(contents.last)
      else {
        contents.isBroken = true
        return
      }
      contents.events += new.map { Frame(id: $0.id, bytes: $0.frame) }
      contents.events.removeFirst(max(0, contents.events.count - EventPage.memory))
      if let last = new.last { contents.last = last.id }
    }
  }

  func next(after event: EventID, for reader: Session.Caller) -> Next {
    contents.withLock { contents in
      if contents.isBroken || event.epoch != contents.last.epoch { return .expired }
      if event == contents.last { return contents.latest.admits(reader) ? .nothing : .over }
      guard let first = contents.events.first, contents.last > event,
        event.sequence + 1 >= first.id.sequence
      else {
        return .expired
      }
      return .event(contents.events[Int(event.sequence + 1 - first.id.sequence)])
    }
  }
}

extension LoadedSession {
  /// Whether somebody may go on reading.
  fileprivate func admits(_ reader: Session.Caller) -> Bool {
    switch reader {
    case .member(let id, let lease): session.meeting?[id]?.lease == lease
    case .token: session.refusal(toShow: reader, at: now) == nil
    }
  }
}

extension [StoredEvent] {
  /// Whether nothing is missing between them, and before them.
  fileprivate func follow(_ last: EventID) -> Bool {
    enumerated().allSatisfy { offset, event in
      event.id.epoch == last.epoch && event.id.sequence == last.sequence + UInt64(offset) + 1
    }
  }
}

extension StoredEvent {
  /// As a stream sends it.
  var frame: [UInt8] {
    let name = (try? JSONValue(reading: Array(json.utf8).span))?.field("event")?.text ?? "event"
    return Array("id: \(id)\n".utf8) + EventHistory.frame(name: name, data: json)
  }
}
