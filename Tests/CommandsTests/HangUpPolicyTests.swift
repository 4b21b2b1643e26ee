import Testing

@testable import HoldfastCommands

@Suite struct HangUpPolicyTests {
  @Test(
    arguments: [
      // A terminal that has gone ends it, with a file or without.
      (HangUpPolicy(hasFile: false, hadTerminal: true, wasIgnored: false), false, .stop),
      (HangUpPolicy(hasFile: true, hadTerminal: true, wasIgnored: false), false, .stop),
      (HangUpPolicy(hasFile: false, hadTerminal: true, wasIgnored: true), false, .ignore),
      (HangUpPolicy(hasFile: true, hadTerminal: true, wasIgnored: true), false, .ignore),
      // Somebody has sent it.
      (HangUpPolicy(hasFile: true, hadTerminal: true, wasIgnored: false), true, .reload),
      (HangUpPolicy(hasFile: true, hadTerminal: true, wasIgnored: true), true, .reload),
      (HangUpPolicy(hasFile: false, hadTerminal: true, wasIgnored: false), true, .stop),
      (HangUpPolicy(hasFile: false, hadTerminal: true, wasIgnored: true), true, .ignore),
      // A service.
      (HangUpPolicy(hasFile: true, hadTerminal: false, wasIgnored: false), false, .reload),
      (HangUpPolicy(hasFile: true, hadTerminal: false, wasIgnored: true), false, .reload),
      (HangUpPolicy(hasFile: false, hadTerminal: false, wasIgnored: false), false, .nothingToReload),
      (HangUpPolicy(hasFile: false, hadTerminal: false, wasIgnored: true), false, .ignore),
    ] as [(HangUpPolicy, Bool, HangUpPolicy.Action)])
  func `SIGHUP stops, reloads or does nothing depending on file, terminal and sender`(
    hangUp: HangUpPolicy, hasTerminal: Bool, action: HangUpPolicy.Action
  ) {
    #expect(hangUp.action(hasTerminal: hasTerminal) == action)
  }
}
