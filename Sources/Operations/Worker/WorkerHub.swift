import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastSession
import HoldfastSessionClient

/// What a worker asks of its hub: which jobs wait, and all about the one that it has. Blocks.
struct WorkerHub: ~Copyable {
  struct WaitingJob: Hashable, Sendable {
    let session: String
    let id: String
  }

  /// Where the hub is, and what opens it.
  struct Place: Sendable {
    let origin: HTTPOrigin
    let tls: TLSSettings
    /// Read anew for each request, as it may be replaced.
    let token: TokenSource
  }

  private let place: Place
  private let worker: String
  private var client: HubClient

  /// A job's lease is over after four seconds: two requests have room in it.
  private static let timeout = MediaTime.milliseconds(1500)

  init(_ place: Place, worker: String, stop: Wakeup) {
    (self.place, self.worker) = (place, worker)
    client = HubClient(place.origin, tls: place.tls, stop: stop)
  }

  mutating func waitingJobs() throws(HubFailure) -> [WaitingJob] {
    let answer = try send(HTTPRequest("GET", "/v1/jobs"))
    return (answer.field("jobs")?.elements ?? []).compactMap { job in
      guard let session = job.field("session")?.text, let id = job.field("job")?.text else { return nil }
      return WaitingJob(session: session, id: id)
    }
  }

  /// The outcome of a request of the job's machine; nil for what is none.
  mutating func answer(_ action: JobMachine.Action, of job: WaitingJob) -> JobMachine.Event? {
    switch action {
    case .take(let number):
      outcome(number, .take(job: job.id, worker: worker), of: job) { answer in
        answer.field("job").flatMap(JobMachine.Grant.init).map { .taken(number, $0) }
      }
    case .work(let number, let lease, let report):
      outcome(number, .work(lease, report), of: job) { _ in .worked(number) }
    case .release(let lease, let report):
      // One that is lost costs what is left of the lease; the machine awaits no answer.
      outcome(0, .work(lease, report), of: job) { _ in .worked(0) }
    case .begin, .close: nil
    }
  }

  private mutating func outcome(
    _ number: Int, _ command: Session.Command, of job: WaitingJob,
    _ read: (JSONValue) -> JobMachine.Event?
  ) -> JobMachine.Event {
    let path = "/v1/sessions/\(job.session.percentEncoded)/commands"
    do throws(HubFailure) {
      let answer = try send(HTTPRequest("POST", path, body: Session.CommandRequest(command).json))
      return read(answer) ?? .failed(number, .unreachable("its answer is not a hub's"))
    } catch {
      return .failed(number, error)
    }
  }

  private mutating func send(_ request: HTTPRequest) throws(HubFailure) -> JSONValue {
    var request = request
    request.bearer = try mapError(place.token()) { (error: TokenUnavailable) in
      HubFailure.unreachable("\(error)")
    }
    return try client.send(request, within: Self.timeout)
  }
}

extension JobMachine.Grant {
  /// Nil if it is not what a hub gives with a job.
  fileprivate init?(_ json: JSONValue) {
    guard let lease = json.field("lease")?.text.flatMap({ Session.Lease($0) }),
      let broadcast = json.field("broadcast")?.text,
      let outputs = json.field("outputs")?.elements?.compactMap(\.text), !outputs.isEmpty,
      let publishType = json.field("publishType")?.text.flatMap({ PublishType(rawValue: $0) })
    else { return nil }
    self.init(
      lease: lease, broadcast: broadcast, outputs: outputs, publishType: publishType,
      mediaTime: json.field("mediaTime")?.seconds ?? .zero, reportedAgo: json.field("reportedAgo")?.seconds)
  }
}
