import Testing

@testable import HoldfastCommands

@Suite struct HangUpTests {
  @Test(
    arguments: [
      // A terminal that has gone ends it, with a file or without.
      (HangUp(hasFile: false, hadTerminal: true, wasIgnored: false), false, .end),
      (HangUp(hasFile: true, hadTerminal: true, wasIgnored: false), false, .end),
      (HangUp(hasFile: false, hadTerminal: true, wasIgnored: true), false, .nothing),
      (HangUp(hasFile: true, hadTerminal: true, wasIgnored: true), false, .nothing),
      // Somebody has sent it.
      (HangUp(hasFile: true, hadTerminal: true, wasIgnored: false), true, .readAgain),
      (HangUp(hasFile: true, hadTerminal: true, wasIgnored: true), true, .readAgain),
      (HangUp(hasFile: false, hadTerminal: true, wasIgnored: false), true, .end),
      (HangUp(hasFile: false, hadTerminal: true, wasIgnored: true), true, .nothing),
      // A service.
      (HangUp(hasFile: true, hadTerminal: false, wasIgnored: false), false, .readAgain),
      (HangUp(hasFile: true, hadTerminal: false, wasIgnored: true), false, .readAgain),
      (HangUp(hasFile: false, hadTerminal: false, wasIgnored: false), false, .nothingToRead),
      (HangUp(hasFile: false, hadTerminal: false, wasIgnored: true), false, .nothing),
    ] as [(HangUp, Bool, HangUp.Meaning)])
  func `what it means`(hangUp: HangUp, hasTerminal: Bool, meaning: HangUp.Meaning) {
    #expect(hangUp.meaning(hasTerminal: hasTerminal) == meaning)
  }
}
