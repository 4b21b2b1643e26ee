import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// A broadcast to two servers through all faults of a plan.
struct SoakRun {
  let folder = ScratchFolder()
  /// Those that have begun.
  private(set) var faults: [SoakPlan.Fault] = []
  private(set) var events: [StampedEvents.Line] = []
  private(set) var clock = EventClock(machine: .zero, steps: [])
  /// The memory of each process in kilobytes, once a second.
  private(set) var memory: [[Int]] = []
  private(set) var status: Int32?
  private let servers: [NginxRTMP]
  private let proxies: [FaultProxy]
  private let microphone: TestDevice.Microphone
  private let fakeClock: FakeClock
  private var subject: HoldfastSubject

  private static let name = "soak"
  /// What the broadcast sends, in bytes a second.
  private static let rate = 82_000.0

  /// The recordings by the outputs' names in event lines.
  var files: [(output: String, path: String)] {
    folder.recordings.map { ("recording", $0) }
      + servers.enumerated().map { ("rtmp-\($0 + 1)", $1.recording("typed", Self.name)) }
  }

  init(_ plan: SoakPlan, minutes: Int) throws {
    servers = [try NginxRTMP(in: folder), try NginxRTMP(in: folder)]
    proxies = try servers.map { try FaultProxy(to: $0.port) }
    microphone = try TestDevice.Microphone(in: folder)
    fakeClock = try FakeClock(in: folder)
    let written = StampedEvents(path: folder.file("events"))
    let before = EventClock.machineOffset
    subject = try HoldfastSubject(
      to: proxies.map { "rtmp://127.0.0.1:\($0.port)/typed/\(Self.name)" },
      environment: microphone.environment.merging(fakeClock.environment) { $1 },
      options: ["--audio", "mic:mic", "--duration", "\(minutes + 60)m"], in: folder
    ).whenLive()
    let begin = MonotonicTime.now
    memory = [[]]
    for action in plan.actions {
      sample(until: begin + action.at)
      let time = "\(figure(action.at.seconds, 0)) s"
      progress("\(time): \(action.fault.title), \(action.isBegin ? "begin" : "end")")
      if action.isBegin {
        faults.append(action.fault)
        try inject(action.fault)
      } else {
        try end(action.fault)
      }
    }
    sample(until: begin + .seconds(Int64(minutes * 60)))
    subject.finish()
    status = subject.status
    events = written.finish()
    let machine = (before.nanoseconds + EventClock.machineOffset.nanoseconds) / 2
    clock = EventClock(machine: MediaTime(nanoseconds: machine), steps: fakeClock.steps)
  }

  private mutating func sample(until deadline: MonotonicTime) {
    while case let left = deadline - .now, left > .zero {
      if let figures = ProcessFigures(of: subject.identifier) {
        memory[memory.count - 1].append(figures.memoryKilobytes)
      }
      pause(min(left, .seconds(1)))
    }
  }

  private func inject(_ fault: SoakPlan.Fault) throws {
    let server = fault.server ?? 0
    switch fault.kind {
    case .kill: servers[server].kill()
    case .freeze: servers[server].freeze()
    case .restart: servers[server].stop()
    case .rateLimit: try proxies[server].perform(.throttle(bytesPerSecond: Int(Self.rate * fault.extent)))
    case .interruption: subject.signal(SIGUSR1)
    case .deviceLoss: try microphone.perform("lose")
    case .crash: subject.kill()
    case .clockStep: try fakeClock.step(by: MediaTime(seconds: fault.extent))
    }
  }

  private mutating func end(_ fault: SoakPlan.Fault) throws {
    let server = fault.server ?? 0
    switch fault.kind {
    case .kill, .restart: try servers[server].start()
    case .freeze: servers[server].thaw()
    case .rateLimit: try proxies[server].perform(.pass)
    case .interruption: subject.signal(SIGUSR2)
    case .deviceLoss: try microphone.perform("return")
    case .crash:
      subject = try subject.restarted()
      memory.append([])
    case .clockStep: break
    }
  }
}

extension SoakPlan.Fault {
  var title: String {
    let place = server.map { " of server \($0 + 1)" } ?? ""
    return kind.rawValue + place + (kind == .clockStep ? " by \(figure(extent, 3)) s" : "")
  }
}
