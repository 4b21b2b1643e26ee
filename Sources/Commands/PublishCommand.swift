internal import Broadcasting
internal import Capture
internal import MediaModel
internal import Platform
internal import Recording

/// `holdfast publish [OPTION]...`
struct PublishCommand: Command {
  static let name = "publish"
  static let summary = "capture, encode and record until stopped"

  let configuration: Configuration

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    configuration = try ConfigurationReader(environment: environment).read(arguments)
  }

  init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  func run() throws(Refusal) -> Int32 {
    _ = try publish()
    return ExitStatus.endedAsAsked.rawValue
  }

  /// Runs the broadcast to its end, or until a signal asks for it; nil where nothing was recorded.
  func publish() throws(Refusal) -> Report? {
    try publish(until: try Self.signals())
  }

  /// To be called before any other thread is started, so that none of them gets the signals.
  static func signals() throws(Refusal) -> Signals {
    do throws(SystemError) { return try Signals([Signals.interrupt, Signals.terminate]) } catch {
      throw Refusal(.system, "signals", "\(error)", "see whether the machine is out of memory or files")
    }
  }

  func publish(until signals: Signals) throws(Refusal) -> Report? {
    do {
      let console = try BroadcastConsole(configuration)
      let outcome = try Self.run(Broadcast(configuration, observe: console.show), until: signals)
      console.finish(outcome)
      if let failure = outcome.failure { throw Refusal(failure) }
      return outcome.report
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(
        .system, "publish", "\(error)", "see whether the machine is out of memory, threads or files")
    }
  }

  /// The first signal ends the broadcast, the second one the process, whatever it waits for.
  private static func run(_ broadcast: Broadcast, until signals: Signals) throws -> Broadcast.Outcome {
    let isOver = try StopSignal()
    let thread = ThreadSlot()
    try thread.start(name: "signals") {
      guard (try? signals.next(until: isOver)) != nil else { return }
      broadcast.stop()
      if let second = try? signals.next(until: isOver) { endProcess(afterSignal: second) }
    }
    defer {
      isOver.signal()
      thread.join()
    }
    return broadcast.run()
  }
}

extension Refusal {
  init(_ error: BroadcastError) {
    switch error {
    case .capture(let error):
      self.init(.notFound, error.device, error.what, error.hint)
    case .recording(let error):
      self.init(.disk, error.path, error.what, error.hint)
    case .encoding(let what):
      self.init(
        .configuration, "encoder", what, "choose another one (--encoder, --video-codec, --audio-codec)")
    case .refused(let reasons):
      self.init(
        .refused, "publish", reasons.joined(separator: "; "),
        "correct the address, its key or its password, or record as well")
    case .gaveUp(let reasons):
      self.init(
        .gaveUp, "publish", reasons.joined(separator: "; "),
        "see whether the servers run and can be reached (holdfast check URL)")
    case .system(let what):
      self.init(.system, "publish", what, "see whether the machine is out of memory, threads or files")
    }
  }
}
