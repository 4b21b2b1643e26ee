import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// Whether the store can be read, as the hub's follower sees it, and written, as the last change showed.
struct StoreHealth: Hashable, Sendable {
  private var reading: StoreError?
  private var writing: StoreError?

  var trouble: StoreError? { reading ?? writing }

  /// What to tell people, where it has changed.
  mutating func note(reading trouble: StoreError?) -> String? { change { $0.reading = trouble } }
  mutating func note(writing trouble: StoreError?) -> String? { change { $0.writing = trouble } }

  private mutating func change(_ body: (inout Self) -> Void) -> String? {
    let before = trouble
    body(&self)
    switch (before, trouble) {
    case (_, .away(let trouble)?):
      if case .away(let before)? = before, before.isLike(trouble) { return nil }
      return "the store \(trouble.reason); sessions stay as they are until it is back"
    case (.some, nil): return "the store is back"
    case (_, _): return nil
    }
  }
}

/// A store whose changes tell whether it can be written.
struct WatchedStore<Target: Store & Sendable>: ForwardingStore, Sendable {
  var target: Target
  let note: @Sendable (StoreError?) -> Void

  mutating func forward<Answer>(
    _ verb: (inout Target) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer { try verb(&target) }

  mutating func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult {
    let result = try noted { target throws(StoreError) in try target.commit(commit) }
    if case .committed = result { note(nil) }
    return result
  }

  mutating func postpone(_ name: Session.Name, to due: WallTime?, expected: StoreVersion) throws(StoreError) {
    try noted { target throws(StoreError) in try target.postpone(name, to: due, expected: expected) }
    note(nil)
  }

  private mutating func noted<Answer>(
    _ verb: (inout Target) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    do throws(StoreError) {
      return try verb(&target)
    } catch {
      switch error {
      case .away(.full), .away(.readOnly), .away(.failed): note(error)
      // The follower notices a store that is lost.
      case .away(.lost), .away(.notConfirmed), .unreadable: break
      }
      throw error
    }
  }
}
