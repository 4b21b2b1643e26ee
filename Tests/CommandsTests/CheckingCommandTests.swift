import Testing

@testable import HoldfastCommands

@Suite struct CheckingCommandTests {
  @Test(
    arguments: [
      ([], "verify: no recording; write holdfast verify RECORDING"),
      (["a.mp4", "--jsn"], "--jsn: no such option; did you mean --json?"),
      (["a.mp4", "--marks"], "--marks: its value is missing; write --marks off, auto or require"),
      (["a.mp4", "--marks", "requir"], "--marks requir: no such value; did you mean require?"),
      (["a.mp4", "b.mp4", "--journal", "c"], "--journal: more than one recording; verify them one by one"),
      (["a.mp4", "--journal"], "--journal: its value is missing; write --journal FILE"),
    ] as [([String], String)])
  func `verify refuses what it does not understand`(arguments: [String], text: String) {
    #expect {
      try VerifyCommand(arguments, environment: [:])
    } throws: {
      "\($0)" == text && ($0 as? Refusal)?.status == .usage
    }
  }

  @Test(
    arguments: [
      ([], "repair: no recording; write holdfast repair RECORDING"),
      (["a.mp4", "b.mp4"], "repair: more than one recording; name one"),
      (["a.mp4", "--inplace"], "--inplace: no such option; did you mean --in-place?"),
      (
        ["a.mp4", "--in-place", "--output", "b.mp4"],
        "--output: where it goes has been said already; give one of --output and --in-place"
      ), (["a.mp4", "--like"], "--like: its value is missing; write --like FILE"),
    ] as [([String], String)])
  func `repair refuses what it does not understand`(arguments: [String], text: String) {
    #expect {
      try RepairCommand(arguments, environment: [:])
    } throws: {
      "\($0)" == text && ($0 as? Refusal)?.status == .usage
    }
  }

  @Test func `what is not there is told by 66`() throws {
    let verify = try VerifyCommand(["/nowhere/a.mp4"], environment: [:])
    #expect { try verify.run() } throws: { ($0 as? Refusal)?.status == .notFound }
    let repair = try RepairCommand(["/nowhere/a.mp4"], environment: [:])
    #expect { try repair.run() } throws: { ($0 as? Refusal)?.status == .notFound }
  }
}
