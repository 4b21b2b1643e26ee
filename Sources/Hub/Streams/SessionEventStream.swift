package import HoldfastHTTP
package import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

/// One reader of a session's events, as server-sent events. It ends with the reader's place in the session,
/// or with its right to see it.
package struct SessionEventStream: ResponseStream {
  private let reader: FeedReader
  private let caller: Session.Caller
  /// Only people have meters to look at.
  private let listener: LevelsListener?
  private var levelsCount: Int
  /// The last event that this reader has, or knew when it came.
  private(set) var cursor: EventID
  private var pending: [[UInt8]]
  private var nextComment: MonotonicTime
  private var isOver = false

  /// Goes on after `last` with `page`, which has all since then; else begins with the state of `loaded`.
  init(
    _ reader: FeedReader, for caller: Session.Caller, after last: EventID?, _ page: EventPage?,
    _ loaded: LoadedSession, at now: MonotonicTime
  ) {
    self.reader = reader
    self.caller = caller
    listener = caller.isPerson(in: loaded.session) ? LevelsListener(to: reader.feed) : nil
    levelsCount = reader.feed.levels.count
    nextComment = now + EventStream.commentInterval
    let greeting = Array("retry: 1000\n".utf8)
    if let last, case .events(let events) = page {
      cursor = events.last?.id ?? last
      pending = [greeting + Array("\n".utf8)] + events.map(\.frame)
    } else {
      cursor = loaded.lastEvent
      let position = Array("id: \(cursor)\n".utf8)
      pending = [
        greeting + position
          + EventHistory.frame(name: "reset", data: loaded.stateWithoutStatistics.description)
      ]
    }
  }

  package mutating func next(at now: MonotonicTime) -> StreamStep {
    if !pending.isEmpty { return sent(pending.removeFirst(), at: now) }
    if isOver { return .over }
    if let wait = reader.feeds.goodBye {
      isOver = true
      let data: JSONValue = ["retryAfter": .number(wait.seconds)]
      return .bytes(EventHistory.frame(name: "bye", data: data.description))
    }
    switch reader.feed.next(after: cursor, for: caller) {
    case .event(let frame):
      cursor = frame.id
      return sent(frame.bytes, at: now)
    case .expired, .over: return .over
    case .nothing: break
    }
    if listener != nil, case let levels = reader.feed.levels, levels.count != levelsCount {
      levelsCount = levels.count
      return sent(levels.frame, at: now)
    }
    return now >= nextComment ? sent(EventStream.comment, at: now) : .nothing(until: nextComment)
  }

  private mutating func sent(_ bytes: [UInt8], at now: MonotonicTime) -> StreamStep {
    nextComment = now + EventStream.commentInterval
    return .bytes(bytes)
  }

  package func notice(of end: APIError) -> [UInt8] {
    EventHistory.frame(name: end.code, data: HTTPResponse(end).text)
  }
}

extension Session.Caller {
  fileprivate func isPerson(in session: Session) -> Bool {
    guard case .member(let id, _) = self else { return false }
    return session.meeting?[id]?.kind == .person
  }
}
