extension Session.Meeting {
  /// Whether a proof is of this meeting, or of a later one that the store has forgotten.
  ///
  /// A meeting that was created in this epoch, without a proof, gives way to the one that members prove.
  func accepts(_ proof: Session.Proof, epoch: UInt64) -> Bool {
    proof.meeting >= id || id.epoch == epoch
  }

  /// Goes on as the meeting that a member has proven; terms of another one count no more.
  mutating func become(_ proven: Session.Lease) {
    id = proven
    hostTerm = 0
  }
}
