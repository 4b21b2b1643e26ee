import Glibc
import HoldfastCPlatform

/// A named thread that its owner joins exactly once.
package struct WorkerThread: ~Copyable, @unchecked Sendable {  // the handle is joined once, by its owner
  private let handle: pthread_t

  private final class Start {
    let name: String
    let priority: ThreadPriority
    let body: () -> Void
    init(name: String, priority: ThreadPriority, body: @escaping () -> Void) {
      self.name = name
      self.priority = priority
      self.body = body
    }
  }

  /// Starts a thread; the kernel keeps the first 15 characters of `name`.
  package init(
    name: String, priority: ThreadPriority = .usual, _ body: sending @escaping () -> Void
  ) throws(SystemError) {
    let start = Unmanaged.passRetained(Start(name: name, priority: priority, body: body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, Self.entry, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw SystemError(operation: "pthread_create(\(name))", code: code)
    }
    handle = thread
  }

  private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    guard let context else { return nil }
    let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
    pthread_setname_np(pthread_self(), String(start.name.prefix(15)))
    start.priority.apply()
    start.body()
    return nil
  }

  package consuming func join() {
    pthread_join(handle, nil)
    discard self
  }

  /// Detaches a thread whose call cannot be interrupted.
  package consuming func abandon() {
    pthread_detach(handle)
    discard self
  }

  deinit {
    assertionFailure("a thread was forgotten")
    pthread_detach(handle)
  }
}

/// A thread's share of the processor, where the threads that do not concern the media have the usual one.
package enum ThreadPriority: Int32, Hashable, Sendable, CaseIterable {
  /// Sound needs little time, and what is lost of it is heard.
  case sound = -11
  case picture = -5
  case usual = 0
  case background = 10

  /// Applies to the calling thread, and to the threads that it starts. Without the right to it
  /// (`RLIMIT_NICE`), a priority above the process's leaves the thread as it is.
  func apply() {
    let one = Int32(PRIO_PROCESS.rawValue)
    _ = setpriority(one, 0, getpriority(one, id_t(getpid())) + rawValue)
  }
}
