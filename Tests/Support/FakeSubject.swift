public import Control
public import MediaModel
public import Platform

/// A broadcaster that remembers what it was told, and does none of it.
public struct FakeSubject: ControlSubject {
  public struct Told: Hashable, Sendable {
    public var commands: [ControlCommand] = []
    public var extensions: [String] = []
    public var mutes: [String] = []
    public var sources: [String] = []
    public var bitrates: [Int] = []
    public var events: [String] = []
    public var answers: [Bool] = []
    public var checks = 0

    public init(_ change: (inout Told) -> Void = { _ in }) { change(&self) }

    /// Nothing at all.
    public var isEmpty: Bool { self == Told() }
  }

  public let told = Locked(Told())
  public var statusJSON: JSONValue = ["name": "hall", "state": "live"]
  public var verdict: @Sendable (ControlCommand) -> ControlVerdict = { _ in .accepted(state: "live") }
  public var newest: ControlPicture? = ControlPicture(number: 1, jpeg: [0xFF, 0xD8, 0xFF, 0xD9])
  public var hasGate = true

  public init() {}

  public func status() -> JSONValue { statusJSON }
  public func metrics() -> PrometheusText { PrometheusText() }
  public func picture() -> ControlPicture? { newest }

  public func perform(_ command: ControlCommand) -> ControlVerdict {
    told.withLock { $0.commands.append(command) }
    return verdict(command)
  }

  public func answerGate(isReady: Bool, reason: String?) -> Bool {
    told.withLock { $0.answers.append(isReady) }
    return hasGate
  }

  public func send(event name: String, data: String) -> Int? {
    told.withLock { $0.events.append("\(name) \(data)") }
    return 2
  }

  public func mute(_ track: TrackKind, _ isMuted: Bool) throws(ControlRefusal) {
    told.withLock { $0.mutes.append("\(track.rawValue) \(isMuted)") }
  }

  public func limitBitrate(to bitsPerSecond: Int) throws(ControlRefusal) {
    told.withLock { $0.bitrates.append(bitsPerSecond) }
  }

  public func sources() -> JSONValue { ["cameras": .list([]), "microphones": .list([])] }

  public func extend(by length: MediaTime, request: String) throws(ControlRefusal) -> [JSONValue.Field] {
    told.withLock { $0.extensions.append("\(request) \(length.written)") }
    return [.init("endsAt", .null), .init("secondsLeft", .null), .init("repeated", .bool(false))]
  }

  public func switchSource(of track: TrackKind, to source: String, isLocal: Bool) throws(ControlRefusal)
    -> String
  {
    told.withLock { $0.sources.append("\(track.rawValue) \(source)\(isLocal ? "" : " from afar")") }
    return source
  }

  public func checkOutputs() throws(ControlRefusal) {
    told.withLock { $0.checks += 1 }
  }
}
