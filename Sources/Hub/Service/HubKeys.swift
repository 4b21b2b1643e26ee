package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastSession
package import HoldfastTokens

/// Signs what hubs give to members, so that any hub of the same secret can check it without the store.
package struct HubKeys: Sendable {
  private let secret: [UInt8]

  private static let digits = 32

  /// `secret` is what all hubs of a store share.
  package init(secret: [UInt8]) { self.secret = hmacSHA256(key: secret, message: Array("session hub".utf8)) }

  package init(secret: CurrentSecret) { self.secret = secret.key(for: "session hub") }

  /// The name of a session in keys and stream names.
  package static func digest(of name: Session.Name) -> String {
    digests.value(name.folded) { String(hexadecimal(sha256(Array($0.composed.utf8))).prefix(16)) }
  }

  private static let digests = Memo<String, String>(capacity: 8192)

  /// Texts have no space, so that no two lists of them sign alike.
  private func signature(_ purpose: String, _ texts: [String]) -> String {
    var message = Array(purpose.utf8)
    for text in texts {
      message.append(UInt8(ascii: " "))
      message += text.utf8
    }
    return hexadecimal(Array(hmacSHA256(key: secret, message: message).prefix(Self.digits / 2)))
  }

  /// The texts before the signature, if it is right; takes the same time wherever the first difference is.
  private func checked(_ purpose: String, _ text: String, of session: [String]) -> [String]? {
    guard text.utf8.count <= 512 else { return nil }
    var texts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    guard let last = texts.popLast(), !texts.isEmpty else { return nil }
    let (given, right) = (Array(last.utf8), Array(signature(purpose, session + texts).utf8))
    guard given.count == right.count, zip(given, right).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else {
      return nil
    }
    return texts
  }

  /// Of what a command says; tells nothing to who has the store but not the secret.
  func fingerprint(of command: String) -> String { signature("command", [command]) }

  private func signed(_ purpose: String, _ texts: [String], of session: [String]) -> String {
    (texts + [signature(purpose, session + texts)]).joined(separator: ".")
  }
}

// MARK: - Leases

/// What a member shows with everything that it says.
package struct LeaseTicket: Hashable, Sendable {
  package let member: Session.Member.ID
  package let lease: Session.Lease
  package let wants: Set<Session.JoinRequest.Want>

  package init(member: Session.Member.ID, lease: Session.Lease, wants: Set<Session.JoinRequest.Want>) {
    self.member = member
    self.lease = lease
    self.wants = wants
  }

  package var caller: Session.Caller { .member(member, lease) }
}

extension HubKeys {
  /// Bound to the token of the join.
  package func text(of ticket: LeaseTicket, in name: Session.Name, token: String?) -> String {
    let wants = ticket.wants.map(\.rawValue).sorted().joined(separator: "-")
    return signed(
      "lease", [ticket.member.text, "\(ticket.lease.epoch)", "\(ticket.lease.sequence)", wants],
      of: [Self.digest(of: name), token ?? ""])
  }

  package func ticket(_ text: String, in name: Session.Name, token: String?) -> LeaseTicket? {
    guard let texts = checked("lease", text, of: [Self.digest(of: name), token ?? ""]), texts.count == 4,
      let member = Session.Member.ID(texts[0]), let epoch = UInt64(texts[1]), let sequence = UInt64(texts[2])
    else { return nil }
    let wants = texts[3].split(separator: "-").compactMap { Session.JoinRequest.Want(rawValue: String($0)) }
    return LeaseTicket(
      member: member, lease: Session.Lease(epoch: epoch, sequence: sequence), wants: Set(wants))
  }
}

// MARK: - Proofs

extension HubKeys {
  package func text(
    of proof: Session.Proof, in name: Session.Name, _ identity: Session.Member.Identity
  ) -> String {
    signed(
      "proof",
      [
        "\(proof.meeting.epoch)", "\(proof.meeting.sequence)", proof.id.text, "\(proof.lease.epoch)",
        "\(proof.lease.sequence)", proof.isManager ? "1" : "0", proof.hostTerm.map { "\($0)" } ?? "-",
      ], of: Self.owner(name, key: identity.key, token: identity.token))
  }

  package func proof(_ text: String, in name: Session.Name, key: String, token: String?) -> Session.Proof? {
    guard let texts = checked("proof", text, of: Self.owner(name, key: key, token: token)),
      texts.count == 7,
      let id = Session.Member.ID(texts[2])
    else { return nil }
    let numbers = [texts[0], texts[1], texts[3], texts[4]].compactMap { UInt64($0) }
    guard numbers.count == 4 else { return nil }
    return Session.Proof(
      meeting: Session.Lease(epoch: numbers[0], sequence: numbers[1]), id: id,
      lease: Session.Lease(epoch: numbers[2], sequence: numbers[3]), isManager: texts[5] == "1",
      hostTerm: UInt64(texts[6]))
  }

  private static func owner(_ name: Session.Name, key: String, token: String?) -> [String] {
    [digest(of: name), key, token ?? ""]
  }
}

// MARK: - Media

extension HubKeys {
  package func publishKey(
    for member: Session.Member.ID, _ rendition: Session.Rendition = .main, in session: String, epoch: UInt64,
    until expiry: WallTime
  ) -> String {
    signed("publish", ["\(epoch)", Self.seconds(expiry)], of: [session, rendition.streamPart(of: member)])
  }

  package func playKey(in session: String, epoch: UInt64, until expiry: WallTime) -> String {
    signed("play", ["\(epoch)", Self.seconds(expiry)], of: [session])
  }

  /// The stream of this name; nil unless the key is right for it, and has not expired at `now` if that is given.
  package func publishGrant(_ key: String, stream: String, at now: WallTime?) -> StreamName? {
    grant("publish", key, stream: stream, at: now) { [$0.session, $0.rendition.streamPart(of: $0.member)] }
  }

  /// The key is that of any member of the session.
  package func playGrant(_ key: String, stream: String, at now: WallTime?) -> StreamName? {
    grant("play", key, stream: stream, at: now) { [$0.session] }
  }

  private func grant(
    _ purpose: String, _ key: String, stream: String, at now: WallTime?, owner: (StreamName) -> [String]
  ) -> StreamName? {
    guard let stream = StreamName(stream), let texts = checked(purpose, key, of: owner(stream)),
      texts.count == 2,
      let seconds = Int64(texts[1]), (0..<9_000_000_000).contains(seconds),
      case let expiry = WallTime(nanoseconds: seconds * 1_000_000_000), now.map({ $0 < expiry }) ?? true
    else { return nil }
    return stream
  }

  private static func seconds(_ time: WallTime) -> String { "\(time.nanoseconds / 1_000_000_000)" }

  package static func stream(
    _ session: String, _ member: Session.Member.ID, _ rendition: Session.Rendition = .main
  ) -> String {
    "\(session).\(rendition.streamPart(of: member))"
  }
}
