package import HoldfastMediaModel

extension Session {
  package enum Limits {
    /// The time between beats.
    package static let beat = MediaTime.seconds(5)
    /// Time without a beat after which a member counts as silent.
    package static let silence = MediaTime.seconds(13)
    /// How old a beat may be that ends silence. Less than what begins it: a store's clock that is set back a little ends none.
    package static let hearing = MediaTime.seconds(10)
    /// Time without a beat after which a lease is over.
    package static let lease = MediaTime.seconds(20)
    /// Time without a beat after which the host's role passes on.
    package static let hostAbsence = MediaTime.seconds(30)
    /// Time without host and managers after which a member may lift what others muted.
    package static let leaderAbsence = MediaTime.seconds(30)
    /// Time without a beat after which another worker may take a job.
    package static let jobLease = MediaTime.seconds(4)
    /// For so long a speaker is kept at least.
    package static let speech = MediaTime.seconds(2)
    package static let emptiness = MediaTime.seconds(300)
    package static let tombstone = MediaTime.seconds(86_400)
    /// The alert's time before the end.
    package static let alert = MediaTime.seconds(60)

    package static let members = 200
    /// Present by one token, so that none fills the session alone.
    package static let membersOfToken = 10
    /// Members that have gone away and would be known again; the one that went first is forgotten.
    package static let away = 200
    package static let removed = 1000
    /// Who may reclaim the host's role.
    package static let claims = 10
    package static let tombstones = 10
    package static let outputs = 8
    /// Of the id of a request, a job, a broadcast or a worker.
    package static let idCharacters = 128
  }
}
