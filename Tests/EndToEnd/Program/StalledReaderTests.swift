import Foundation
import Glibc
import HoldfastMP4
import HoldfastRecording
import TestSupport
import TestTraits
import Testing

/// Readers of standard output, standard error and event lines that stall or refuse.
@Suite(.realTime) struct StalledReaderTests {
  private let folder = ScratchFolder()

  private func publish(_ options: String..., launcher: [String] = []) throws -> HoldfastProcess {
    try HoldfastProcess(
      ["publish", "--video", "test", "--audio", "tone", "--record", folder.path] + options, launcher: launcher
    )
  }

  /// A FIFO that nobody reads, and that is full.
  private func stalledPipe() throws -> (path: String, descriptor: Int32) {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let descriptor = open(path, O_RDWR | O_NONBLOCK)
    try #require(descriptor >= 0)
    let filler = [UInt8](repeating: 0x20, count: 4096)
    while write(descriptor, filler, filler.count) > 0 {}
    return (path, descriptor)
  }

  @Test func `a broadcaster whose output nobody reads can be steered and ended`() throws {
    let pipe = try stalledPipe()
    defer { close(pipe.descriptor) }
    let process = try publish(
      "--events", "-", launcher: ["/bin/sh", "-c", "exec \"$0\" \"$@\" >'\(pipe.path)' 2>&1"])
    #expect(eventually { (try? process.controlStatus()["state"] as? String) == "live" })
    #expect(try process.ctl(["interrupt"]).status == 0 && process.ctl(["resume"]).status == 0)
    #expect(try process.end().status == 0 && FragmentedFile.isFinished(folder.recording()))
  }

  @Test func `a program without standard descriptors writes nothing of its own into its files`() throws {
    let process = try publish(
      "--duration", "1s", "--events", folder.file("events"),
      launcher: ["/bin/sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-"])
    #expect(try process.result().status == 0 && FragmentedFile.isFinished(folder.recording()))
    let events = try String(contentsOfFile: folder.file("events"), encoding: .utf8)
    #expect(events.split(separator: "\n").allSatisfy { $0.hasPrefix("{") } && events.contains("ended"))
  }

  @Test func `event lines that a full disk refuses are told`() throws {
    let result = try publish("--events", "/dev/full", "--duration", "1s").result()
    let loss = "event lines to /dev/full are lost: write: No space left"
    #expect(result.status == 0 && result.errors.contains(loss), "\(result.errors)")
  }
}
