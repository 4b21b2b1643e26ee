public import Holdfast
import HoldfastPlatform

/// A gate with a scripted verdict.
public final class FakeGate: GoLiveGate {
  /// What the gate does when it is asked.
  public enum Verdict: Hashable, Sendable {
    case pass
    case refuse(String)
    /// Waits until the task is cancelled, as a gate that never answers.
    case noAnswer
  }

  /// The error that the gate throws to refuse.
  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The scripted reason.
    public let description: String
  }

  private let state: Locked<(verdict: Verdict, requests: [BroadcastInfo])>

  /// Creates a gate with its initial verdict.
  public init(_ verdict: Verdict = .pass) { state = Locked((verdict, [])) }

  /// The verdict from the next request on.
  public var verdict: Verdict {
    get { state.withLock { $0.verdict } }
    set { state.withLock { $0.verdict = newValue } }
  }

  /// The broadcasts that the gate was asked about.
  public var requests: [BroadcastInfo] { state.withLock { $0.requests } }

  /// Returns, throws or waits according to the current verdict.
  public func authorize(_ broadcast: BroadcastInfo) async throws {
    let verdict = state.withLock { state in
      state.requests.append(broadcast)
      return state.verdict
    }
    switch verdict {
    case .pass: return
    case .refuse(let reason): throw Refusal(description: reason)
    case .noAnswer:
      let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
      for await _ in stream {}
      withExtendedLifetime(continuation) {}
      throw CancellationError()
    }
  }
}
