import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// Writes lines to a descriptor whose reader may stall, on a thread of its own.
///
/// `write` never blocks: lines wait in a bounded queue. Those that find no room, or that the descriptor refuses, are lost
/// and counted.
package final class LineWriter: Sendable {
  /// Why lines are lost; reported once a minute at most.
  package enum Trouble: Hashable, Sendable {
    case tooSlow
    case failed(SystemError)
  }

  private struct Item: Sendable {
    let bytes: [UInt8]
    /// The lines in it, with those whose loss it tells.
    let count: Int
    var isDone: Promise<Void>?
  }

  private struct State: ~Copyable {
    var lost = 0
    var nextReport = MonotonicTime.now
    /// To be written to from now on.
    var next: FileDescriptor?

    mutating func takeReport() -> Bool {
      guard nextReport <= .now else { return false }
      nextReport = .now + .seconds(60)
      return true
    }
  }

  private let queue: BoundedQueue<Item>
  private let capacity: Int
  private let state = Locked(State())
  /// A new descriptor, or the end of the time for the rest.
  private let wakeup: Wakeup
  private let isAbandoned = Locked(false)
  private let isDone = Promise<Void>()
  private let report: @Sendable (Trouble) -> Void
  private let thread = ThreadSlot()

  package init(
    name: String, _ descriptor: consuming FileDescriptor, capacity: Int = 4096,
    report: @escaping @Sendable (Trouble) -> Void = { _ in }
  ) throws(SystemError) {
    self.capacity = capacity
    self.report = report
    queue = BoundedQueue(capacity: capacity)
    wakeup = try Wakeup()
    replace(by: descriptor)
    try thread.start(name: name) { [self] in
      run()
      isDone.fulfil(())
    }
  }

  /// Lines whose loss is not told yet.
  var lost: Int { state.withLock { $0.lost } }

  /// Queues a line; `afterLoss` is a line that tells how many were lost before it.
  package func write(_ line: String, afterLoss: (_ lost: Int) -> String) {
    let isNews = state.withLock { state in
      let text = (state.lost > 0 ? afterLoss(state.lost) : "") + line
      guard !queue.offer(Item(bytes: Array(text.utf8), count: state.lost + 1)) else {
        state.lost = 0
        return false
      }
      state.lost += 1
      return state.takeReport()
    }
    if isNews { report(.tooSlow) }
  }

  /// Writes text that is worth nothing later, unless something else waits.
  package func writeAtOnce(_ text: String) {
    _ = queue.offer(Item(bytes: Array(text.utf8), count: 0), leaving: capacity - 1)
  }

  /// Writes to another descriptor, from the line on that is being written.
  package func replace(by descriptor: consuming FileDescriptor) {
    var new: FileDescriptor? = descriptor
    state.withLock { $0.next = new.take() }
    wakeup.signal()
  }

  /// Waits until what is queued is written, but not for longer than `time`.
  package func flush(within time: MediaTime) {
    let isDone = Promise<Void>()
    guard queue.offer(Item(bytes: [], count: 0, isDone: isDone)) else { return }
    _ = isDone.take(until: .now + time)
  }

  /// Writes what is queued, but not for longer than `time`; then nothing is accepted.
  package func finish(within time: MediaTime) {
    queue.close()
    if isDone.take(until: .now + time) == nil {
      isAbandoned.withLock { $0 = true }
      wakeup.signal()
    }
    // The call of a hanging disk cannot be interrupted.
    _ = thread.join(until: .now + .milliseconds(100))
  }

  private func run() {
    var file: FileDescriptor?
    var isTorn = false
    while !isAbandoned.withLock({ $0 }), let item = queue.take() {
      defer { item.isDone?.fulfil(()) }
      var written = 0
      do throws(SystemError) {
        let bytes = isTorn ? [0x0A] + item.bytes : item.bytes
        while written < bytes.count {
          if let next = state.withLock({ $0.next.take() }) {
            file = consume next
            written = 0
          }
          guard let raw = file?.raw, try waitForRoom(raw) else { continue }
          let piece = bytes[written...].prefix(Self.pieceLength)
          written += try check("write") {
            let count = piece.withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) }
            return count < 0 && cp_errno() == EAGAIN ? 0 : count
          }
        }
        isTorn = false
      } catch {
        isTorn = isTorn || written > 0
        let isNews = state.withLock { state in
          state.lost += item.count
          return state.takeReport()
        }
        if isNews { report(.failed(error)) }
      }
    }
  }

  /// A pipe that is ready takes as much without blocking.
  private static let pieceLength = 4096

  /// False after a wakeup, which may bring another descriptor.
  private func waitForRoom(_ descriptor: Int32) throws(SystemError) -> Bool {
    var entries = [pollfd(wakeup.descriptor), pollfd(descriptor, for: POLLOUT)]
    _ = try poll(&entries, until: nil)
    guard wakeup.clear() else { return entries[1].revents != 0 }
    if isAbandoned.withLock({ $0 }) { throw SystemError(operation: "write", code: ECANCELED) }
    return false
  }
}
