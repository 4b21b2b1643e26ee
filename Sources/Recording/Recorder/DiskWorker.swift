import HoldfastPlatform

/// Performs slow disk operations on a thread of its own.
final class DiskWorker: Sendable {
  enum Job: ~Copyable, Sendable {
    case synchronize(Int, FileDescriptor, path: String)
    case finish(Int, FragmentWriter)
  }

  let outcomes: Inbox<RecordingMachine.Event>
  private let jobs: BoundedQueue<Job>
  private let thread = ThreadSlot()

  /// `finishing` is called before a file is finished.
  init(
    outcomes: Inbox<RecordingMachine.Event>, finishing: @escaping @Sendable (_ path: String) -> Void
  ) throws(SystemError) {
    let jobs = BoundedQueue<Job>(capacity: 1024)
    self.jobs = jobs
    self.outcomes = outcomes
    try thread.start(name: "recorder-disk") {
      while let job = jobs.take() { outcomes.post(Self.perform(job, finishing)) }
    }
  }

  deinit {
    jobs.close()
    thread.join()
  }

  func begin(_ job: consuming Job) { _ = jobs.offer(job) }

  private static func perform(
    _ job: consuming Job, _ finishing: (_ path: String) -> Void
  ) -> RecordingMachine.Event {
    switch consume job {
    case .synchronize(let number, let file, let path):
      do {
        try file.synchronize()
        return .synchronized(number, nil)
      } catch {
        return .synchronized(number, RecordingError(path: path, error))
      }
    case .finish(let number, var file):
      let path = file.path
      finishing(path)
      do {
        return .previousFinished(number, .finished(path: path, bytes: try file.finish()))
      } catch {
        return .previousFinished(number, .unfinished(RecordingError(path: path, error)))
      }
    }
  }
}
