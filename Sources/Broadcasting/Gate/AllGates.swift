/// Several gates, asked at once: all of them have to let it pass.
struct AllGates: GoLiveGate {
  let gates: [any GoLiveGate]

  func readyToGoLive(_ broadcast: BroadcastInfo) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for gate in gates { group.addTask { try await gate.readyToGoLive(broadcast) } }
      // The first one that refuses ends the others; waitForAll would wait for them.
      while try await group.next() != nil {}
    }
  }
}
