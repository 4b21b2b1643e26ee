import Glibc
import HoldfastPlatform
import Testing

@Suite struct ThreadPriorityTests {
  /// The nice values of a thread with this priority and of one that it starts, above the process's.
  private func nice(of priority: ThreadPriority) throws -> [Int32] {
    let one = Int32(PRIO_PROCESS.rawValue)
    let process = getpriority(one, id_t(getpid()))
    let found = Locked<[Int32]>([])
    let thread = try WorkerThread(name: "outer", priority: priority) {
      found.withLock { $0.append(getpriority(one, 0) - process) }
      let inner = try? WorkerThread(name: "inner") {
        found.withLock { $0.append(getpriority(one, 0) - process) }
      }
      inner?.join()
    }
    thread.join()
    return found.withLock { $0 }
  }

  @Test func `a thread in the background gives way`() throws {
    #expect(try nice(of: .background).first == 10)
  }

  @Test(arguments: [ThreadPriority.sound, .picture])
  func `media threads come first where the process may, and those that they start are usual ones`(
    priority: ThreadPriority
  ) throws {
    let mayRaise = Locked(false)
    let probe = try WorkerThread(name: "probe") {
      let one = Int32(PRIO_PROCESS.rawValue)
      let wanted = getpriority(one, id_t(getpid())) + priority.rawValue
      mayRaise.withLock { $0 = setpriority(one, 0, wanted) == 0 }
    }
    probe.join()
    #expect(try nice(of: priority) == [mayRaise.withLock { $0 } ? priority.rawValue : 0, 0])
  }

  @Test func `sound comes before the picture, and the picture before anything else`() {
    let order: [ThreadPriority] = [.sound, .picture, .usual, .background]
    #expect(order == ThreadPriority.allCases.sorted { $0.rawValue < $1.rawValue })
  }
}
