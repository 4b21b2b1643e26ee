import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform

extension SessionCommand {
  /// Prints events until a signal or the session's end, over all interruptions of the hub.
  func follow() throws(Refusal) -> Int32 {
    let (stop, interruption): (Wakeup, InterruptSignal)
    do throws(SystemError) {
      stop = try Wakeup()
      // Before any other thread, so that none of them gets the signals.
      interruption = try InterruptSignal(waking: stop)
    } catch {
      throw .system("session", error)
    }
    defer { interruption.stop() }
    var reader = SessionEventReader(self, stop: stop)
    return try reader.run()
  }
}

/// Follows the events of a session, from one stream to the next.
struct SessionEventReader {
  private let command: SessionCommand
  private let stop: Wakeup
  private let terminal = Terminal()
  private var text: SessionEventText
  private var lastID: String?
  private var connection = ConnectionState.first
  private var retry: MediaTime?

  private enum ConnectionState {
    /// No stream has been open yet.
    case first
    case open
    case interrupted(tries: Int)
  }

  private enum End {
    case ended
    case failed(HTTPClientError)
    case refused(HTTPResponse)
  }

  private static let longestWait = MediaTime.seconds(10)

  init(_ command: SessionCommand, stop: Wakeup) {
    self.command = command
    self.stop = stop
    text = SessionEventText(asJSON: command.asJSON)
  }

  mutating func run() throws(Refusal) -> Int32 {
    while true {
      let end = readStream()
      if text.isOver || stop.isSignalled { return ExitStatus.success.rawValue }
      let reason: String
      var wait = retry ?? .seconds(1)
      switch end {
      case .ended: reason = "the hub has ended it"
      case .failed(let error):
        let refusal = Refusal(error, fromHub: command.address.shown)
        guard mayPass(error), !isFirst else { throw refusal }
        reason = error.what.printable
      case .refused(let response):
        let refusal = Refusal(response, fromHub: command.address.shown)
        if !isFirst, response.error?.code == "sessionOver" {
          terminal.print("the session has ended")
          return ExitStatus.success.rawValue
        }
        guard response.status >= 500 || response.status == 429, !isFirst else { throw refusal }
        reason = refusal.what
        wait = max(wait, min(response.retryAfter ?? .zero, Self.longestWait))
      }
      if stop.wait(until: .now + interrupt(because: reason, wait)) { return ExitStatus.success.rawValue }
    }
  }

  private var isFirst: Bool {
    if case .first = connection { true } else { false }
  }

  private func mayPass(_ error: HTTPClientError) -> Bool {
    switch error.kind {
    case .cannotConnect, .timedOut, .invalidResponse, .system: true
    case .tls, .notPermitted, .invalidRequest, .stopped: false
    }
  }

  /// Says so once, and returns the wait before the next try.
  private mutating func interrupt(because reason: String, _ wait: MediaTime) -> MediaTime {
    switch connection {
    case .first, .open:
      terminal.print(
        "the connection to \(command.address.origin) is lost (\(reason)); trying again", .warning)
      connection = .interrupted(tries: 1)
      return wait
    case .interrupted(let tries):
      connection = .interrupted(tries: tries + 1)
      return min(MediaTime(nanoseconds: wait.nanoseconds << min(tries, 4)), max(wait, Self.longestWait))
    }
  }

  private mutating func readStream() -> End {
    var request = HTTPRequest("GET", command.address.path + "/events")
    request.bearer = command.token?.text
    request.lastEventID = lastID
    do throws(HTTPClientError) {
      let opening = try HTTPEventStream.open(
        request, at: command.address.origin, tls: command.tls, within: HubConnection.timeout, stop: stop)
      switch consume opening {
      case .refused(let response): return .refused(response)
      case .stream(let stream):
        try read(stream)
        return .ended
      }
    } catch {
      return .failed(error)
    }
  }

  /// Returns at the end of the stream.
  private mutating func read(_ stream: consuming HTTPEventStream) throws(HTTPClientError) {
    var isFirstEvent = true
    if case .interrupted = connection { terminal.print("connected again") }
    connection = .open
    while true {
      switch try stream.next(until: .now + .seconds(60)) {
      case .event(let event):
        if isFirstEvent, event.name == "reset", lastID != nil {
          terminal.print(
            "events may be missing: the hub no longer has those since the interruption", .warning)
        }
        isFirstEvent = false
        // Not each event has an id.
        lastID = stream.lastID ?? lastID
        retry = stream.retry
        if let line = text.line(for: event, at: WallTime.now) { printOutput(line) }
        if text.isOver { return }
      case .nothing: break
      case .ended: return
      }
    }
  }
}
