import Foundation
import TestSupport

/// `measure NAME [ARGUMENT]…`: all that measures, or tries something for a long time. Without arguments it lists that.
@main enum Measure {
  private static let all:
    [(name: String, usage: String, purpose: String, run: @Sendable (Arguments) throws -> Bool)] = [
      ("bench", "[RUNS [JOB]]", "the program beside ffmpeg, job by job", Bench.run),
      ("bench-control", "[SECONDS]", "load on the control API of a broadcast", LoadedRun.run),
      ("bench-control-attack", "[SECONDS]", "a host's commands under attack", AttackedRun.run),
      ("bench-hub", "[SECONDS [RUN [SESSIONS]]]", "a hub with ten thousand members", HubBench.run),
      ("bench-recording", "[RUNS [HOURS]]", "what recording costs", RecordingBench.run),
      ("bench-recovery", "[FAULT]…", "what a server's faults do, beside ffmpeg", RecoveryBench.run),
      ("bench-rtmp", "[SECONDS]", "RTMP's messages in memory", RTMPThroughput.run),
      (
        "bench-session", "[EXPIRIES [STARTS]]", "how late a session ends, what a gate costs", SessionBench.run
      ),
      ("fleet", "[PICTURE]", "how ten thousand broadcasters come back to one server", Fleet.run),
      ("fuzz-recordings", "[COUNT [SEED]]", "verify, repair and export of mutated files", FuzzRecordings.run),
      ("read-marks", "FILE…", "the marks in the picture and sound of files", ReadMarks.run),
      ("simulate", "[SEED [DAYS]]", "simulated days; a single one is told in full", Simulate.run),
      (
        "simulate-sessions", "[SEED [MINUTES [SESSIONS [BOXES [RUNS [MUTANT]]]]]]",
        "sessions in virtual time", SimulateSessions.run
      ),
      ("soak", "[MINUTES [SEED]]", "a broadcast through faults of all kinds", Soak.run),
      ("soak-crashes", "[KILLS [SEED]]", "a broadcast that is killed", SoakCrashes.run),
      ("soak-interruptions", "[ROUNDS [SEED]]", "a broadcast that is interrupted", SoakInterruptions.run),
      ("soak-power", "[MINUTES [CUTS [SEED]]]", "power cuts while recording, as root", SoakPower.run),
      ("soak-sources", "[PULLS [SEED]]", "network sources that are taken away", SoakSources.run),
      ("test-attack", "[SECONDS [NAME…]]", "a broadcast to hostile servers", Attack.run),
      ("test-session", "", "all that can happen to five boxes in one session", SharedSession.run),
      ("verify-servers", "[JOINTS [FAULTS]]", "servers with the habits of others", VerifyServers.run),
    ]

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard let command = all.first(where: { $0.name == words.first }) else {
      print("usage: measure NAME [ARGUMENT]…\n")
      for command in all { print("\(padded(command.name, 21)) \(command.purpose)") }
      exit(words.isEmpty ? 0 : 64)
    }
    do {
      exit(try command.run(Arguments(words.dropFirst(), usage: command.usage)) ? 0 : 1)
    } catch is UsageError {
      print("usage: measure \(command.name) \(command.usage)")
      exit(64)
    } catch {
      print("\(command.name): \(error)")
      exit(1)
    }
  }
}
