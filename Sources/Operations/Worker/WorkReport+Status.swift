import HoldfastMediaModel
import HoldfastSession

extension Session.WorkReport {
  /// By the status of the process that publishes; nil where it doesn't answer.
  init(status: JSONValue?, hasAnswered: Bool) {
    guard let status else {
      self.init(hasAnswered ? .trouble : .connecting, because: hasAnswered ? "notAnswering" : nil)
      return
    }
    let milliseconds = status.field("mediaTimeMs")?.integer ?? 0
    let (state, reason) = Self.state(status)
    self.init(state, because: reason, .milliseconds(max(0, milliseconds)))
  }

  private static func state(_ status: JSONValue) -> (Session.Job.State, reason: String?) {
    switch status.field("state")?.text {
    case "live":
      let outputs = status.field("outputs")?.elements ?? []
      if outputs.contains(where: { $0.field("state") == "publishing" }) { return (.live, nil) }
      let cause = outputs.lazy.compactMap { $0.field("cause")?.text }.first
      return switch cause {
      case nil: (.connecting, nil)
      // A worker that is frozen still has it.
      case "nameTaken": (.waiting, cause)
      default: (.trouble, cause)
      }
    // Until a broadcast that another process began goes on.
    case "interrupted" where status.field("cause") == "crash": return (.connecting, nil)
    case "interrupted", "backgrounded": return (.trouble, "interrupted")
    case "ending", "ended": return (.trouble, "ending")
    default: return (.connecting, nil)
    }
  }

  /// Without a reason that could not be told.
  init(_ state: Session.Job.State, because reason: String?, _ mediaTime: MediaTime = .zero) {
    do throws(Session.Refusal) {
      try self.init(state, reason: reason, mediaTime: mediaTime)
    } catch {
      self = (try? Session.WorkReport(state, mediaTime: mediaTime)) ?? Session.WorkReport()
    }
  }
}
