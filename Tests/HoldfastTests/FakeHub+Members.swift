import HoldfastTesting
import Testing

@testable import Holdfast

extension FakeHub {
  /// A member that has not joined yet.
  func member(
    _ name: String, of session: String = FakeHub.session, _ change: (inout SessionSettings) -> Void = { _ in }
  ) throws -> SessionMember {
    var settings = SessionSettings(url(session), name: name)
    change(&settings)
    return try SessionMember(settings)
  }

  /// A member that is in the session, and its id.
  func joined(
    _ name: String, to session: String = FakeHub.session, _ change: (inout SessionSettings) -> Void = { _ in }
  ) async throws -> (member: SessionMember, id: String) {
    let member = try member(name, of: session, change)
    try await member.join()
    return (member, try #require(member.id))
  }
}

/// The error that a member's request throws; nil if it throws none.
func failure(of body: () async throws(SessionError) -> Void) async -> SessionError? {
  do throws(SessionError) { try await body() } catch { return error }
  return nil
}
