import HoldfastMediaModel
import HoldfastPlatform

/// A look at all sessions for those that `hf:due` lacks, in which nobody would ever look: in several steps, where the
/// server holds much else.
struct DueScan {
  fileprivate var cursor: String?
  fileprivate var lastTry: MonotonicTime?
  fileprivate var epoch: UInt64 = 0

  fileprivate static let interval = MediaTime.seconds(60)
  /// For each call of `due`.
  fileprivate static let budget = MediaTime.milliseconds(100)
}

extension RedisStore {
  /// Begins a scan once a minute and after a new epoch, unless another hub has, and goes on with one that was begun.
  func repairDue(until limit: TimeLimit) throws(RedisFailure) {
    if scan.cursor == nil {
      let isRecent = scan.lastTry.map { .now - $0 < DueScan.interval } ?? false
      guard !isRecent || scan.epoch != knownEpoch else { return }
      scan.lastTry = .now
      scan.epoch = knownEpoch
      let milliseconds = "\(Int(DueScan.interval.milliseconds))"
      let reply = try ask(
        [["SET", StoreKeys.scan, "\(knownEpoch)", "NX", "PX", milliseconds]], until: limit)[0]
      // A store that can't be written to has no sessions due that it forgot just now; the next minute will do.
      guard reply.text == "OK" else { return }
      scan.cursor = "0"
    }
    let began = MonotonicTime.now
    while let cursor = scan.cursor, .now - began < DueScan.budget {
      let page = try ask(
        [["SCAN", cursor, "MATCH", StoreKeys.allStates, "COUNT", "1000", "TYPE", "hash"]], until: limit)[0]
      guard let parts = page.list, parts.count == 2, let next = parts[0].text, let found = parts[1].list
      else {
        scan.cursor = nil
        return
      }
      let states = found.compactMap(\.text)
      if !states.isEmpty {
        do throws(RedisFailure) {
          _ = try run(ScriptCall(.repair, keys: [StoreKeys.due] + states), until: limit)
        } catch {
          scan.cursor = nil
          guard case .refusal = error else { throw error }
          return
        }
      }
      scan.cursor = next == "0" ? nil : next
    }
  }
}
