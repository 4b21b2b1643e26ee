internal import HoldfastPlatform

/// Does what may take a while on the disk, beside the thread that writes: has data reach the disk, and finishes files.
final class DiskWorker: Sendable {
  private enum Job: ~Copyable, Sendable {
    case synchronize(FileDescriptor)
    case finish(RecordingFile)
  }

  private let jobs = BoundedQueue<Job>(capacity: 4096)
  private let isSynchronizing = Locked(false)
  private let failure = Locked<(any Error)?>(nil)
  private let finished: @Sendable (_ path: String, Result<Int, any Error>) -> Void
  private let thread = ThreadSlot()

  /// `finished` gets what has become of a file.
  init(finished: @escaping @Sendable (_ path: String, Result<Int, any Error>) -> Void) throws(SystemError) {
    self.finished = finished
    try thread.start(name: "recorder-disk") { [self] in
      while let job = jobs.take() { perform(job) }
    }
  }

  /// What could not be put on the disk since the last question.
  func takeFailure() -> (any Error)? {
    failure.withLock { $0.take() }
  }

  /// While the one before is under way, there is no use in the next.
  func synchronize(_ file: consuming FileDescriptor) {
    let isUnderWay = isSynchronizing.withLock { isSynchronizing in
      defer { isSynchronizing = true }
      return isSynchronizing
    }
    if !isUnderWay { _ = jobs.offer(.synchronize(file)) }
  }

  func finish(_ file: consuming RecordingFile) {
    _ = jobs.offer(.finish(file))
  }

  /// Waits until all is done.
  func join() {
    jobs.close()
    thread.join()
  }

  private func perform(_ job: consuming Job) {
    switch consume job {
    case .synchronize(let file):
      do { try file.synchronize() } catch { failure.withLock { $0 = error } }
      isSynchronizing.withLock { $0 = false }
    case .finish(var file):
      let path = file.path
      do {
        finished(path, .success(try file.finish()))
      } catch {
        finished(path, .failure(error))
      }
    }
  }
}
