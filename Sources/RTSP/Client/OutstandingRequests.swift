import HoldfastMediaModel

/// A request, with everything needed to repeat it.
struct OutgoingRequest: Sendable {
  enum Purpose: Hashable, Sendable {
    case options, announce
    case setUp(track: Int)
    case record, pause, resume, probe, tearDown
  }

  let purpose: Purpose
  let method: RTSPMethod
  let uri: String
  var headers = RTSPHeaders()
  var body: [UInt8] = []
  var attempts = 0
  var wasAuthorized = false
  var sentAt = MonotonicTime(nanoseconds: 0)
}

/// Requests awaiting an answer, by number.
struct OutstandingRequests: Sendable {
  private var requests: [(number: Int, request: OutgoingRequest)] = []
  private var lastNumber = 0

  var count: Int { requests.count }
  var hasProbe: Bool { requests.contains { $0.request.purpose == .probe } }

  mutating func add(_ request: OutgoingRequest) -> Int {
    lastNumber += 1
    requests.append((lastNumber, request))
    return lastNumber
  }

  /// Removes the answered request: the oldest one if the server omits the number.
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
