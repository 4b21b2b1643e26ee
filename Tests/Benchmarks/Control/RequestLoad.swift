import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Mixed requests at a constant rate on a few persistent connections.
struct RequestLoad: Sendable {
  /// The share of each kind, in percent.
  private static let kinds: [(request: Request, share: Int)] = [
    (Request("status", "GET", "/v1/status"), 30), (Request("me", "GET", "/v1/me"), 15),
    (Request("metrics", "GET", "/metrics"), 15), (Request("sources", "GET", "/v1/sources"), 10),
    (Request("preview", "GET", "/v1/preview.jpg"), 10),
    (Request("wrong JSON", "PATCH", "/v1/bitrate", body: "{\"bps\":[1,"), 10),
    (Request("bad token", "GET", "/v1/status", isForged: true), 10),
  ]
  private static let maxConnections = 16
  /// Bad tokens come from another address, because the server bans their sender for a while.
  private static let elsewhere = "127.0.0.2"

  struct Request: Sendable {
    let name: String
    let method: String
    let path: String
    var body: String?
    var isForged = false

    init(_ name: String, _ method: String, _ path: String, body: String? = nil, isForged: Bool = false) {
      (self.name, self.method, self.path, self.body, self.isForged) = (name, method, path, body, isForged)
    }
  }

  private struct Results {
    var codes: [String: [Int: Int]] = [:]
    var latencies: [Double] = []
  }

  private let port: UInt16
  private let token: String
  private let results = Locked(Results())
  private let plan: [Request]

  init(port: UInt16, token: String) {
    (self.port, self.token) = (port, token)
    // An even mix: the step is coprime to 100.
    let all = Self.kinds.flatMap { Array(repeating: $0.request, count: $0.share) }
    plan = (0..<all.count).map { all[$0 * 37 % all.count] }
  }

  func run(seconds: Int) {
    let start = MonotonicTime.now
    let numbers = Locked(0..<seconds * LoadedRun.requestsPerSecond)
    _ = inParallel(Self.maxConnections, width: Self.maxConnections) { _ in send(numbers, from: start) }
  }

  private func send(_ numbers: Locked<Range<Int>>, from start: MonotonicTime) {
    var clients: [Bool: WireClient] = [:]
    while let number = numbers.withLock({ $0.popFirst() }) {
      let due = start + .milliseconds(Int64(number * 1000 / LoadedRun.requestsPerSecond))
      pause(until: due)
      let request = request(number)
      // Reconnects after the server has closed the connection.
      if clients[request.isForged]?.isOver != false {
        clients[request.isForged] = try? WireClient(
          port: port, from: request.isForged ? Self.elsewhere : "127.0.0.1")
      }
      let answer = clients[request.isForged]?.request(
        request.method, request.path, token: request.isForged ? token + "x" : token, body: request.body)
      if answer == nil || answer?.head.contains("Connection: close") == true {
        clients[request.isForged] = nil
      }
      // Measured from the due time, so that queueing counts.
      let latency = (MonotonicTime.now - due).seconds * 1000
      results.withLock { results in
        results.codes[request.name, default: [:]][answer?.status ?? 0, default: 0] += 1
        results.latencies.append(latency)
      }
    }
  }

  private func request(_ number: Int) -> Request {
    let each = 5 * LoadedRun.requestsPerSecond
    guard number % each == 0 else { return plan[number % plan.count] }
    return Request("mute", "PATCH", "/v1/tracks/audio", body: "{\"muted\":\(number / each % 2 == 0)}")
  }

  var report: String {
    let results = results.withLock { $0 }
    let names = Self.kinds.map(\.request.name) + ["mute"]
    let lines = names.map { name in
      let codes = (results.codes[name] ?? [:]).sorted { $0.key < $1.key }
      return [name, codes.map { "\($0 == 0 ? "none" : "\($0)"): \($1)" }.joined(separator: ", ")]
    }
    return "requests, from when each was due to the end of its answer: \(Percentiles(results.latencies))\n"
      + aligned(lines) + "\n"
  }
}
