import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastTesting
import TestSupport

enum FaultKind: String, CaseIterable {
  case interruption, kill, freeze, nameTaken
}

/// A broadcast to a server with habits, through faults that come one after another.
final class ServerRun {
  let folder = ScratchFolder()
  private let server: LocalServer
  private let proxy: FaultProxy
  private let subject: HoldfastSubject
  private var interruptions = 0
  private(set) var injected: [(kind: FaultKind, begin: MonotonicTime)] = []
  private(set) var events: [StampedEvents.Line] = []
  let clock = EventClock(machine: EventClock.machineOffset)

  private static let name = "hall"

  var file: String { folder.file("server/\(Self.name).flv") }

  init(_ habits: Set<LocalServer.Habit>, times: Int, of kinds: [FaultKind]) throws {
    try FileManager.default.createDirectory(atPath: folder.file("server"), withIntermediateDirectories: true)
    server = try LocalServer(directory: folder.file("server"), habits: habits)
    proxy = try FaultProxy(to: server.port)
    let written = StampedEvents(path: folder.file("events"))
    subject = try HoldfastSubject(
      to: ["rtmp://127.0.0.1:\(proxy.port)/live/\(Self.name)"], options: ["--duration", "60m"], in: folder
    ).whenLive()
    for round in 0..<times {
      for kind in kinds {
        try waitUntilPublishing()
        try play(1 + Double(round % 7) / 10)
        let begin = MonotonicTime.now
        try cause(kind, round)
        injected.append((kind, begin))
      }
    }
    try waitUntilPublishing()
    try play(2)
    subject.finish()
    server.stop()
    events = written.finish()
  }

  private func play(_ seconds: Double) throws {
    guard subject.play(seconds) else { throw TestFailure("media time stands") }
  }

  private func waitUntilPublishing() throws {
    guard subject.reports("publishing", ofOutputTo: proxy.port) else {
      throw TestFailure("the output doesn't publish: \(subject.log)")
    }
  }

  private func cause(_ kind: FaultKind, _ round: Int) throws {
    // From under a packet's to some seconds' length.
    let length = MediaTime.milliseconds([20, 700, 1500, 2500, 4500][round % 5])
    switch kind {
    case .interruption:
      interruptions += 1
      try subject.interrupt(times: interruptions)
      pause(min(length, .milliseconds(1500)))
      try subject.resume(times: interruptions)
    case .kill:
      server.stop()
      pause(length)
      try server.restart()
    case .freeze:
      server.freeze()
      pause(length + .milliseconds(500))
      server.thaw()
    case .nameTaken:
      try proxy.perform(.orphan)
      pause(length)
      try proxy.perform(.reap)
    }
  }
}
