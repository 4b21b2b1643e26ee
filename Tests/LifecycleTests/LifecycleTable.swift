import HoldfastMediaModel
import TestTables

@testable import HoldfastLifecycle

/// What the machine does with each event in each state, as the documentation shows it.
struct LifecycleTable {
  private typealias Column = (name: String, story: LifecycleStory)

  private struct Row {
    let name: String
    /// Nil where the event can't come.
    let event: (LifecycleStory) -> Lifecycle.Event?

    init(_ name: String, _ event: @escaping (LifecycleStory) -> Lifecycle.Event?) {
      self.name = name
      self.event = event
    }

    init(_ event: Lifecycle.Event) { self.init(Row.name(of: event)) { _ in event } }

    static func name(of event: Lifecycle.Event) -> String {
      if case .command(let command) = event { return "`\(command)`" }
      return "`" + String("\(event)".prefix { $0 != "(" }) + "`"
    }
  }

  private struct Effect: Hashable {
    let row: String
    let to: String
    let actions: String
  }

  /// In which state each event leads where.
  var matrix: String {
    var lines = [["event"] + columns.map(\.name)]
    for row in rows { lines.append([row.name] + columns.map { cell(row, $0) }) }
    return markdownTable(lines)
  }

  /// The actions of a transition.
  var effects: String {
    var order: [Effect] = []
    var origins: [Effect: [String]] = [:]
    for row in rows {
      for column in columns {
        guard let (actions, to) = outcome(row, column), !actions.isEmpty else { continue }
        let effect = Effect(row: row.name, to: to.phase.name, actions: actions.joined(separator: ", "))
        if origins[effect] == nil { order.append(effect) }
        origins[effect, default: []].append(column.name)
      }
    }
    return markdownTable(
      [["event", "in", "leads to", "actions"]]
        + order.map { [$0.row, origins[$0, default: []].joined(separator: ", "), $0.to, $0.actions] })
  }

  private func cell(_ row: Row, _ column: Column) -> String {
    guard let (actions, to) = outcome(row, column) else { return "" }
    if to.phase.name != column.story.machine.phase.name { return to.phase.name }
    if !actions.isEmpty { return "stays" }
    return to == column.story.machine ? "" : "noted"
  }

  private func outcome(_ row: Row, _ column: Column) -> ([String], Lifecycle)? {
    var story = column.story
    guard let event = row.event(story) else { return nil }
    let actions = story.handle(event).compactMap(\.text)
    return (actions, story.machine)
  }
}

// MARK: - States and events

extension LifecycleTable {
  private var columns: [Column] {
    let idle = LifecycleStory(.gate(onResume: true, startTimeout: .seconds(30)))
    let starting = idle.after([{ _ in .command(.start) }])
    let preparing = starting.after([\.firstAnswer])
    let gateAsked = preparing.after([\.firstAnswer])
    let goingLive = gateAsked.after([\.firstAnswer])
    let live = goingLive.after([\.firstAnswer])
    let pausing = live.after([{ _ in .command(.interrupt) }])
    let paused = pausing.after([\.firstAnswer])
    let again = paused.after([{ _ in .command(.resume) }, \.gateBegins])
    let away = live.after([{ _ in .command(.background) }, \.firstAnswer])
    let tooLong = paused.after([\.windowTimer, \.firstAnswer])
    let ending = live.after([{ _ in .command(.stop) }])
    return [
      ("idle", idle),
      ("previewing", idle.after([{ _ in .previewRequested }, \.firstAnswer])),
      ("starting", starting),
      ("preparing", preparing),
      ("gate asked", gateAsked),
      ("gate running", gateAsked.after([\.gateBegins])),
      ("going live", goingLive),
      ("live", live),
      ("pausing", pausing),
      ("paused", paused),
      ("awaiting gate to resume", again),
      ("start interrupted", starting.after([{ _ in .command(.interrupt) }])),
      ("backgrounded", away),
      ("window closed", tooLong),
      ("ending", ending),
      ("ended", ending.after([\.firstAnswer])),
    ]
  }

  private var rows: [Row] {
    [
      Row(.previewRequested), Row(.command(.start)),
      Row(.resumeAfterCrashRequested(windowLeft: .seconds(60))),
      Row("`offAirRequested`, interrupted") { _ in .offAirRequested(.interrupted, windowLeft: .seconds(60)) },
      Row("`offAirRequested`, backgrounded") { _ in .offAirRequested(.backgrounded) }, Row(.command(.end)),
      Row(.command(.stop)), answer("devicesOpened"), answer("devicesFailed"), answer("prepared"),
      answer("gateBegan"), answer("gatePassed"), answer("gateRefused"), answer("wentLive"), answer("paused"),
      Row("`nothingBegun`") { story in
        if case .pausing(_, let number) = story.machine.phase { .nothingBegun(number) } else { nil }
      },
      answer("closed"),
      Row("`interruptionBegan`, another") { _ in .interruptionBegan(.system) }, Row(.command(.resume)),
      Row(.command(.background)), Row(.command(.foreground)), Row(.sleepBegan), Row(.sleepEnded),
      Row(.maxDurationReached), Row(.sessionExpired), Row(.sharedSessionOver),
      Row(.sourcesEnded), Row(.failed),
      Row("attempts' limit") { story in
        if case .preparing(let number) = story.machine.phase { .timerFired(number) } else { nil }
      },
      Row("gate's limit") { $0.machine.phase.question.map { .timerFired($0.number) } },
      Row("start's limit") { story in
        if case .goingLive(let timer?) = story.machine.phase { .timerFired(timer) } else { nil }
      },
      Row("pause's limit") { story in
        if case .pausing(_, let number) = story.machine.phase { .timerFired(number) } else { nil }
      },
      Row("resume window closes", \.windowTimer),
      Row("drain's limit") { $0.closing.map { .timerFired($0) } },
    ]
  }

  private func answer(_ name: String) -> Row {
    Row("`\(name)`") { $0.answers.first { "\($0)".prefix { $0 != "(" } == name } }
  }
}

extension LifecycleStory {
  fileprivate var firstAnswer: Lifecycle.Event? { answers.first }

  fileprivate var gateBegins: Lifecycle.Event? { gate.map { .gateBegan($0) } }

  fileprivate var windowTimer: Lifecycle.Event? { machine.phase.interruption.map { .timerFired($0.window) } }

  fileprivate func after(_ events: [(LifecycleStory) -> Lifecycle.Event?]) -> LifecycleStory {
    var story = self
    for event in events { if let event = event(story) { story.handle(event) } }
    return story
  }
}

extension Lifecycle.Phase {
  fileprivate var name: String { String("\(self)".prefix { $0 != "(" }) }
}

extension Lifecycle.Action {
  /// Without its number; nil for what goes without saying.
  fileprivate var text: String? {
    switch self {
    case .report, .cancelTimer: nil
    case .setTimer(_, let delay): "timer of \(Int(delay.seconds)) s"
    case .close(_, let reason): "close: \(reason.rawValue)"
    case .openDevices, .closeDevices, .openBroadcast, .prepare, .resumeAfterCrash, .askGate, .cancelGate,
      .goLive, .pause, .resume:
      String("\(self)".prefix { $0 != "(" })
    }
  }
}
