import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

extension ExportConsole {
  /// Runs an export that a signal stops; the exit status is then 128 and the signal's number.
  static func run(
    _ body: (ExportConsole, @escaping @Sendable () -> Bool) throws(RecordingFileError) -> Int32
  ) throws(Refusal) -> Int32 {
    let console = ExportConsole()
    // Before any other thread, so that none of them gets the signals.
    let interruption = try mapError(InterruptSignal()) { (error: SystemError) in
      Refusal(.system, "export", "\(error)", "check whether the machine is out of files or threads")
    }
    defer { interruption.stop() }
    do throws(RecordingFileError) {
      return try body(console) { interruption.signal != nil }
    } catch {
      console.finish()
      if error.kind == .cancelled, let number = interruption.signal { return 128 + number }
      throw Refusal(error)
    }
  }
}
