import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastTokens

/// A member of a session as the hub sees it: it joins, and beats every five seconds.
final class CrowdMember {
  enum Step {
    case waiting
    case connecting
    case asking(since: MonotonicTime)
  }

  enum Wish { case join, beat }

  let index: Int
  let session: Int
  private let head: [UInt8]
  private var join: Session.JoinRequest
  private var joins = 0
  private let reports: [[UInt8]]
  private var isMuted = false
  private var beat: [UInt8] = []
  private(set) var lease: [UInt8]?

  var connection: ClientConnection?
  /// Bytes of an answer that is not complete.
  var pending: [UInt8] = []
  var wish = Wish.join
  var step = Step.waiting
  /// When the next request is due; the timer that counts.
  var due = MonotonicTime(nanoseconds: 0)
  /// The instant at which the request that is on its way was due.
  var asked = MonotonicTime(nanoseconds: 0)
  var failures = 0
  /// The first answer to a beat since the hub was away.
  var firstHeard: MonotonicTime?

  static let perSession = 10
  /// One beat of so many reports a change, which the hub commits and tells to all readers.
  static let beatsPerChange = 100

  init(_ index: Int, host: String, secret: TokenSecret) throws {
    self.index = index
    session = index / Self.perSession
    let name = Self.name(ofSession: session)
    let token = try Token(
      name: "member \(index)", role: index % Self.perSession == 0 ? .host : .participant, session: name,
      lasts: .seconds(3600), at: .now, secret: secret
    ).text(signedWith: secret)
    head = Array("/v1/sessions/\(name)@ HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(token)\r\n".utf8)
    let key = (0..<32).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() ?? "a" }
    join = Session.JoinRequest(
      key: String(key), name: "Box \(index)", kind: .box, wants: [.ingest], requestID: "0")
    var report = Session.Member.Report()
    report.condition = .live
    let statistics: JSONValue = [
      "bitrate": JSONValue(4_500_000 + index), "dropped": JSONValue(0), "rtt": .number(23.5),
      "camera": .text("/dev/video0"), "microphone": .text("hw:CARD=USB"), "disk": JSONValue(87),
      "recorded": .text("00:42:17"),
    ]
    reports = ([[], [.video]] as [Set<TrackKind>]).map { muted in
      report.muted = muted
      return Array(Session.BeatRequest(report, statistics: statistics).json.description.utf8)
    }
  }

  static func name(ofSession number: Int) -> String { "hall-\(number)" }

  /// Each member has an address of its own, in 127.0.0.0/8.
  var source: String { "127.1.\((index + 1) >> 8).\((index + 1) & 0xFF)" }

  var isHost: Bool { index % Self.perSession == 0 }

  func isIn(lease new: [UInt8]) {
    lease = new
    wish = .beat
    makeBeat()
    joinAnew()
  }

  /// The next join is another one.
  func joinAnew() {
    joins += 1
    join.requestID = "\(joins)"
  }

  func changeReport() {
    isMuted.toggle()
    makeBeat()
  }

  private func makeBeat() {
    guard let lease else { return }
    beat = request("POST", "/beat", lease: lease, body: reports[isMuted ? 1 : 0])
  }

  var request: [UInt8] {
    switch wish {
    case .join: request("POST", "/join", lease: nil, body: Array(join.json.description.utf8))
    case .beat: beat
    }
  }

  /// In HTTP 1.0, which has no chunks, so that the body is nothing but events.
  var streamRequest: [UInt8] {
    let text = request("GET", "/events", lease: lease, body: nil)
    return Array(String(decoding: text, as: UTF8.self).replacing("HTTP/1.1", with: "HTTP/1.0").utf8)
  }

  private func request(_ method: String, _ path: String, lease: [UInt8]?, body: [UInt8]?) -> [UInt8] {
    let parts = head.split(separator: UInt8(ascii: "@"), maxSplits: 1)
    var bytes = Array("\(method) ".utf8) + parts[0] + Array(path.utf8) + parts[1]
    if let lease { bytes += Array("Holdfast-Lease: ".utf8) + lease + Array("\r\n".utf8) }
    if let body {
      bytes += Array("Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    } else {
      bytes += Array("\r\n".utf8)
    }
    return bytes
  }
}

/// A session's event stream, held by its first member.
final class EventReader {
  let session: Int
  var connection: ClientConnection?
  var isOpen = false
  var failures = 0
  var due = MonotonicTime(nanoseconds: 0)
  /// When changes were sent whose events have not come yet.
  var expected: [MonotonicTime] = []

  init(session: Int) { self.session = session }
}
