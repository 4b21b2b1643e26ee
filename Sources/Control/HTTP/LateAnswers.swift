internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Works out answers that take a while, on threads of its own, and rings when one is there.
final class LateAnswers: Sendable {
  /// One that is being worked out, or is there.
  final class Answer: Sendable {
    private let response = Locked<ControlResponse?>(nil)

    var isThere: Bool { response.withLock { $0 != nil } }

    func take() -> ControlResponse? { response.withLock { $0.take() } }

    fileprivate func give(_ answer: ControlResponse) { response.withLock { $0 = answer } }
  }

  private struct Job: Sendable {
    let work: @Sendable () -> ControlResponse
    let answer: Answer
  }

  private let bell: ControlBell
  private let jobs = BoundedQueue<Job>(capacity: 256)
  private let isOver = Locked(false)
  private let threads = [ThreadSlot(), ThreadSlot()]

  init(_ bell: ControlBell) throws(SystemError) {
    self.bell = bell
    for thread in threads { try thread.start(name: "control-work") { [self] in run() } }
  }

  /// Nil where too many are being worked out.
  func begin(_ work: @escaping @Sendable () -> ControlResponse) -> Answer? {
    let answer = Answer()
    return jobs.offer(Job(work: work, answer: answer)) ? answer : nil
  }

  /// What is being worked out is waited for; nothing more is begun.
  func finish() {
    isOver.withLock { $0 = true }
    jobs.close()
    for thread in threads { thread.join() }
  }

  private func run() {
    while let job = jobs.take() {
      // At the end nobody waits for what has not been begun.
      if !isOver.withLock({ $0 }) { job.answer.give(job.work()) }
      bell.ring()
    }
  }
}
