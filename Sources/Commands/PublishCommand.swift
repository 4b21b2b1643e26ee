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

  /// Runs the broadcast to its end, or until a signal asks for it.
  func publish() throws(Refusal) -> Report {
    do {
      // Before any other thread, so that none of them gets the signals.
      let signals = try Signals([Signals.interrupt, Signals.terminate])
      let console = try BroadcastConsole(configuration)
      let broadcast = Broadcast(configuration, observe: console.show)
      let report = try Self.run(broadcast, until: signals)
      console.finish(report)
      return report
    } catch let refusal as Refusal {
      throw refusal
    } catch let error as BroadcastError {
      throw Refusal(error)
    } catch {
      throw Refusal(
        .system, "publish", "\(error)", "see whether the machine is out of memory, threads or files")
    }
  }

  private static func run(_ broadcast: Broadcast, until signals: Signals) throws -> Report {
    let isOver = try StopSignal()
    let thread = ThreadSlot()
    try thread.start(name: "signals") {
      while (try? signals.next(until: isOver)) != nil { broadcast.stop() }
    }
    defer {
      isOver.signal()
      thread.join()
    }
    return try broadcast.run()
  }
}

extension Refusal {
  init(_ error: BroadcastError) {
    switch error {
    case .capture(let error):
      self.init(.notFound, error.device, error.what, error.hint)
    case .recording(let error):
      self.init(.disk, error.path, error.what, "make room or choose another folder with --record")
    case .encoding(let what):
      self.init(.configuration, "encoder", what, "choose another one with --encoder")
    case .system(let what):
      self.init(.system, "publish", what, "see whether the machine is out of memory, threads or files")
    }
  }
}
