import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
package import HoldfastStores

/// A commit whose caller waits for the file.
final class WaitingCommit: Sendable {
  let commit: StoreCommit
  let key: SessionKey
  /// Nil to forget the session.
  let state: String?
  let outcome = Locked<Result<CommitResult, SQLiteError>?>(nil)

  init(_ commit: StoreCommit) {
    self.commit = commit
    key = SessionKey(commit.name)
    state = commit.session.isForgotten ? nil : commit.session.stored
  }

  fileprivate func end(_ outcome: Result<CommitResult, SQLiteError>) {
    self.outcome.withLock { $0 = outcome }
  }
}

extension SQLiteStore {
  /// Who gets the file carries out all commits that wait for it, so that they wait for the disk once.
  package func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult {
    let own = WaitingCommit(commit)
    waiting.withLock { $0.append(own) }
    do throws(StoreError) {
      try withFile { file throws(SQLiteError) in
        guard own.outcome.withLock({ $0 == nil }) else { return }
        let commits = waiting.withLock { waiting in
          defer { waiting = [] }
          return waiting
        }
        carryOut(commits, in: file)
      }
    } catch {
      waiting.withLock { $0.removeAll { $0 === own } }
      throw error
    }
    switch own.outcome.withLock({ $0 }) {
    case .success(let result): return result
    case .failure(let error): throw .away(error.trouble)
    case nil: throw .away(.failed("the commit was lost"))
    }
  }

  private enum Decision {
    case refused(CommitResult)
    case accepted(SessionFile.Writing, row: Int64)
  }

  /// All of them or, where one fails, none.
  private func carryOut(_ commits: [WaitingCommit], in file: SessionFile) {
    let now = now()
    let beats = attendance.withLock { $0.takeUnwritten() }
    var isWritten = false
    do throws(SQLiteError) {
      let decisions = try file.connection.transaction { () throws(SQLiteError) in
        let decisions = try commits.map { (commit) throws(SQLiteError) in
          try decide(commit, in: file, at: now)
        }
        isWritten = decisions.contains { if case .accepted = $0 { true } else { false } }
        if isWritten { try file.write(beats, at: now) }
        return decisions
      }
      for (commit, decision) in zip(commits, decisions) { end(commit, decision, at: now) }
    } catch {
      isWritten = false
      for commit in commits { commit.end(.failure(error)) }
    }
    attendance.withLock { attendance in
      for commit in commits { attendance.release(commit.key) }
      if !isWritten { attendance.putBack(beats) }
    }
  }

  private func decide(
    _ commit: WaitingCommit, in file: SessionFile, at now: WallTime
  ) throws(SQLiteError) -> Decision {
    let stored = try file.session(commit.key)
    if let known = try known(commit.commit.request, in: stored, of: file, at: now) {
      return .refused(.known(known))
    }
    let before = try file.numbers(of: stored)
    guard commit.commit.expected == StoreVersion(epoch: epoch, count: before.count) else {
      return .refused(.conflict)
    }
    if let lease = attendance.withLock({ $0.hold(commit.commit.presence, in: commit.key, at: now) }) {
      return .refused(.renewed(lease))
    }
    let writing = SessionFile.Writing(
      commit: commit.commit, key: commit.key, state: commit.state, before: before, now: now)
    return .accepted(writing, row: try file.write(writing))
  }

  private func end(_ commit: WaitingCommit, _ decision: Decision, at now: WallTime) {
    switch decision {
    case .refused(let result): commit.end(.success(result))
    case .accepted(let writing, let row):
      attendance.withLock {
        $0.apply(commit.commit.presence, in: commit.key, row: row, count: writing.after.count, at: now)
      }
      let version = StoreVersion(epoch: epoch, count: writing.after.count)
      let lastEvent = EventID(epoch: epoch, sequence: writing.after.sequence)
      sessions?.keep(commit.commit, as: version, lastEvent: lastEvent, at: now)
      commit.end(.success(.committed(version, lastEvent: lastEvent)))
    }
  }
}
