import HoldfastPlatform

/// Performs slow disk operations on a thread of its own.
final class DiskWorker: Sendable {
  enum Job: ~Copyable, Sendable {
    case synchronize(FileDescriptor, path: String)
    case finish(FragmentWriter)
  }

  let answers: Inbox<RecordingMachine.Event>
  private let jobs: BoundedQueue<Job>
  private let thread = ThreadSlot()

  init(answers: Inbox<RecordingMachine.Event>) throws(SystemError) {
    let jobs = BoundedQueue<Job>(capacity: 1024)
    self.jobs = jobs
    self.answers = answers
    try thread.start(name: "recorder-disk") {
      while let job = jobs.take() { answers.post(Self.perform(job)) }
    }
  }

  deinit {
    jobs.close()
    thread.join()
  }

  func begin(_ job: consuming Job) {
    _ = jobs.offer(job)
  }

  private static func perform(_ job: consuming Job) -> RecordingMachine.Event {
    switch consume job {
    case .synchronize(let file, let path):
      do {
        try file.synchronize()
        return .synchronized(nil)
      } catch {
        return .synchronized(RecordingError(path: path, error))
      }
    case .finish(var file):
      let path = file.path
      do {
        return .finishedBeside(path: path, .success(try file.finish()))
      } catch {
        return .finishedBeside(path: path, .failure(RecordingError(path: path, error)))
      }
    }
  }
}
