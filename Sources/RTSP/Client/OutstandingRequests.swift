import HoldfastMediaModel

/// A request of ours, with all that is needed to send it again.
struct OutgoingRequest: Sendable {
  /// What its answer leads to.
  enum Purpose: Hashable, Sendable {
    case ask, announce
    case setUp(track: Int)
    case record, pause, recordAgain, probe, tearDown
  }

  let purpose: Purpose
  let method: RTSPMethod
  let uri: String
  var headers = RTSPHeaders()
  var body: [UInt8] = []
  var attempts = 0
  /// It showed credentials.
  var wasAuthorized = false
  var sentAt = MonotonicTime(nanoseconds: 0)
}

/// The requests that wait for an answer, by their numbers.
struct OutstandingRequests: Sendable {
  private var requests: [(number: Int, request: OutgoingRequest)] = []
  private var lastNumber = 0

  var count: Int { requests.count }
  var hasProbe: Bool { requests.contains { $0.request.purpose == .probe } }

  /// The number that the request is to carry.
  mutating func add(_ request: OutgoingRequest) -> Int {
    lastNumber += 1
    requests.append((lastNumber, request))
    return lastNumber
  }

  /// The request of an answer: the oldest one where a server leaves out the number.
  mutating func take(_ number: Int?) -> OutgoingRequest? {
    let index = number == nil ? requests.indices.first : requests.firstIndex { $0.number == number }
    return index.map { requests.remove(at: $0).request }
  }
}

package enum RTSPMethod: String, Hashable, Sendable, CaseIterable {
  case options = "OPTIONS"
  case announce = "ANNOUNCE"
  case setUp = "SETUP"
  case record = "RECORD"
  case pause = "PAUSE"
  case tearDown = "TEARDOWN"
  case getParameter = "GET_PARAMETER"
}
