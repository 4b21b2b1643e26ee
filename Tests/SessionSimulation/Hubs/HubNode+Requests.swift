import HoldfastHTTP
import HoldfastHub
import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import HoldfastStores
import TestVirtualTime

/// As members see it.
typealias Answer<Value> = Result<Value, HoldfastMembership.HubFailure>
/// As hubs see it.
private typealias ServiceFailure = HoldfastHub.HubFailure

// MARK: - Requests

extension HubNode {
  func join(_ request: Session.JoinRequest, by member: Endpoint) -> Answer<Session.JoinAnswer> {
    answer(member) { (link: inout StoreLink) throws(ServiceFailure) in
      try service.join(
        request, to: member.session.name, by: member.credential, newID: newID(), at: world.wall, in: &link)
    }
  }

  func beat(
    _ request: Session.BeatRequest, lease: String, by member: Endpoint
  ) -> Answer<Session.BeatAnswer> {
    withTicket(lease, of: member) { ticket in
      let began = world.now
      var renewed: Int64?
      let answer = answer(member, ticket, changes: false) { (link: inout StoreLink) throws(ServiceFailure) in
        defer { renewed = link.renewedAt }
        return try service.beat(
          request, by: effective(ticket, member), in: member.session.name, at: world.wall, in: &link)
      }
      if case .success = answer {
        monitor.answeredBeat(ticket, in: member.session.name, at: renewed ?? began)
      }
      guard world.mutation == .answersFromOldCache else { return answer }
      return answer.map { oldAnswer(to: lease, $0) }
    }
  }

  func command(_ request: Session.CommandRequest, lease: String?, by member: Endpoint) -> Answer<[String]> {
    guard let lease else { return perform(request, by: .token(member.credential), nil, member) }
    return withTicket(lease, of: member) { ticket in
      perform(request, by: effective(ticket, member).caller, ticket, member)
    }
  }

  private func perform(
    _ request: Session.CommandRequest, by caller: Session.Caller, _ ticket: LeaseTicket?, _ member: Endpoint
  ) -> Answer<[String]> {
    monitor.asked(request, in: member.session.name)
    return answer(member, ticket) { (link: inout StoreLink) throws(ServiceFailure) in
      try service.perform(request, in: member.session.name, by: caller, newID: { newID().text }, in: &link)
    }
  }

  func openStream(_ number: Int, lease: String, after event: String, by member: Endpoint) -> Answer<HubStream>
  {
    withTicket(lease, of: member) { ticket in
      let name = member.session.name
      let stream = answer(member, ticket, changes: false) { (link: inout StoreLink) throws(ServiceFailure) in
        try feeds.stream(
          of: name, for: ticket.caller, after: EventID(event), by: service, in: &link, at: world.clock)
      }
      return stream.map { stream in
        let open = HubStream(stream, to: member, number, from: self, of: name)
        streams[name, default: []].append(open)
        return open
      }
    }
  }

  /// Of a member's newest lease, for the mutant that doesn't ask for it.
  private func effective(_ ticket: LeaseTicket, _ member: Endpoint) -> LeaseTicket {
    guard world.mutation == .takesOldLeases,
      let newest = monitor.truth(of: member.session.name).leases[ticket.member]
    else { return ticket }
    return LeaseTicket(member: ticket.member, lease: newest, wants: ticket.wants)
  }

  private func withTicket<Value>(
    _ lease: String, of member: Endpoint, _ body: (LeaseTicket) -> Answer<Value>
  ) -> Answer<Value> {
    guard
      let ticket = service.keys.ticket(lease, in: member.session.name, token: member.credential.token)
    else { return .failure(Self.failure(.leaseForged)) }
    return body(ticket)
  }

  private func answer<Value>(
    _ member: Endpoint, _ ticket: LeaseTicket? = nil, changes: Bool = true,
    _ body: (inout StoreLink) throws(ServiceFailure) -> Value
  ) -> Answer<Value> {
    var link = StoreLink(self, ticket: ticket)
    defer {
      if link.wasTroubled { member.troubledAt = world.now }
      if changes { follow(soon: true) }
    }
    do throws(ServiceFailure) {
      return .success(try body(&link))
    } catch {
      return .failure(Self.failure(error))
    }
  }

  private static func failure(_ failure: ServiceFailure) -> HoldfastMembership.HubFailure {
    let error = APIError(failure)
    var refusal = HubRefusal(error.status, error.code, error.message, hint: error.hint)
    refusal.retryAfter = error.retryAfter
    refusal.end = error.why.flatMap(Session.EndReason.init(rawValue:))
    return .refused(refusal)
  }

  private func newID() -> Session.Member.ID {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    while true {
      let text = String((0..<16).map { _ in letters[world.randomness.below(letters.count)] })
      if let id = Session.Member.ID(text) { return id }
    }
  }
}

// MARK: - Streams

extension HubNode {
  func pump(_ name: Session.Name) { for stream in streams[name] ?? [] { stream.pump() } }

  func remove(_ stream: HubStream) {
    streams[stream.name]?.removeAll { $0 === stream }
    if streams[stream.name]?.isEmpty == true { streams[stream.name] = nil }
  }
}

// MARK: - Operators

extension HubNode {
  /// By the local user, without a network between.
  func act(_ command: Session.CommandRequest.Given, in session: SimulatedSession) {
    var link = StoreLink(self)
    let request = Session.CommandRequest(command)
    monitor.asked(request, in: session.name)
    _ = try? service.perform(
      request, in: session.name, by: .token(Session.Credential(.local)), newID: { newID().text }, in: &link)
    follow(soon: true)
  }
}
