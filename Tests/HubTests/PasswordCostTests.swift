import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastHTTP
@testable import HoldfastHub
@testable import HoldfastTokens

/// A password is hashed, which is slow on purpose, only where something depends on it.
@Suite final class PasswordCostTests {
  private let hashes = Locked(0)
  private let service: HubService
  private var store = MemoryStore()
  private var joins = 0

  init() throws {
    let (hashes, plain) = (hashes, TestHub.stateless)
    let hasher = PasswordHasher(
      hash: {
        hashes.withLock { $0 += 1 }
        return plain.hash($0)
      },
      matches: {
        hashes.withLock { $0 += 1 }
        return plain.matches($0, $1)
      })
    service = HubService(keys: HubKeys(secret: [1]), hasher: hasher)
  }

  private func join(
    _ name: String, _ standing: Session.Standing, password: String?, kind: Session.Member.Kind = .box
  ) throws -> Session.Refusal? {
    joins += 1
    let id = try #require(Session.Member.ID(String(repeating: "a", count: 15) + "\(joins)"))
    do throws(HubFailure) {
      _ = try service.join(
        Session.JoinRequest(key: "key-of-the-member-\(name)", name: name, kind: kind, password: password),
        to: .hall, by: Session.Credential(standing, token: name), newID: id, at: .now, in: &store)
      return nil
    } catch .refused(let refusal) {
      return refusal
    } catch {
      // Without this the compiler (6.3) crashes.
      throw error
    }
  }

  private func command(_ command: Session.CommandRequest, by name: String) -> HubFailure? {
    let caller = Session.Caller.token(
      Session.Credential(name == "Anna" ? .host : .participant, token: name))
    do throws(HubFailure) {
      _ = try service.perform(command, in: .hall, by: caller, newID: { "id" }, in: &store)
      return nil
    } catch {
      return error
    }
  }

  /// What came of it, and how often something was hashed.
  private struct Cost<Failure: Equatable>: Equatable {
    let failure: Failure?
    let hashes: Int

    init(_ failure: Failure?, _ hashes: Int) {
      self.failure = failure
      self.hashes = hashes
    }
  }

  private func cost<Failure: Equatable>(_ body: () throws -> Failure?) rethrows -> Cost<Failure> {
    let before = hashes.withLock { $0 }
    return Cost(try body(), hashes.withLock { $0 } - before)
  }

  @Test func `a join hashes once, and only if the password decides`() throws {
    let costs = try [
      ("Max", .participant, "a"), ("Anna", .host, "a"), ("Max", .participant, "b"),
      ("Max", .participant, nil),
      ("Max", .participant, "a"), ("Max", .participant, "b"), ("Op", .operator, "a"),
    ].map { (name: String, standing: Session.Standing, password: String?) in
      try cost { try join(name, standing, password: password) }
    }
    #expect(
      costs == [
        Cost(.noSuchSession, 0), Cost(nil, 1), Cost(.passwordWrong, 1), Cost(.passwordNeeded, 0),
        Cost(nil, 1), Cost(nil, 0), Cost(.notAllowed(.join), 0),
      ])
    #expect(command(Session.CommandRequest(.lock), by: "Anna") == nil)
    let locked = try cost { try join("Left", .participant, password: "a") }
    #expect(locked == Cost(.locked, 0))
  }

  @Test func `a password is set by one hash, and not by who may not`() throws {
    _ = try join("Anna", .host, password: nil)
    _ = try join("Max", .participant, password: nil)
    let request = Session.CommandRequest(.password("a"), requestID: "1")
    let costs = ["Max", "Anna", "Anna"].map { name in cost { command(request, by: name) } }
    #expect(costs == [Cost(.refused(.notAllowed(.setPassword)), 0), Cost(nil, 1), Cost(nil, 0)])
    #expect(try store.load(.hall, asking: nil).session.meeting?.password == TestHub.stateless.hash("a"))
  }
}

@Suite struct PasswordGuessesTests {
  private let guesses = PasswordGuesses()

  private func guesser(_ token: String, _ address: String = "10.0.0.1") -> PasswordGuesses.Guesser {
    PasswordGuesses.Guesser(
      token: token, origin: AttemptOrigin(.remote(address: address, isSameUser: false)))
  }

  private func isRefused(_ guesser: PasswordGuesses.Guesser, isRight: Bool = false) -> Bool {
    do throws(HubFailure) {
      _ = try guesses.compare(by: guesser) { isRight }
      return false
    } catch {
      return true
    }
  }

  @Test func `a token has five wrong passwords at an address, and others there have theirs`() {
    #expect((1...6).map { _ in isRefused(guesser("a")) } == [false, false, false, false, false, true])
    #expect(isRefused(guesser("a"), isRight: true))
    #expect(!isRefused(guesser("b")) && !isRefused(guesser("a", "10.0.0.2")))
  }

  @Test func `an address has twenty, whatever its tokens are`() {
    let refused = (1...21).map { isRefused(guesser("token \($0)")) }
    #expect(refused == Array(repeating: false, count: 20) + [true])
    #expect(!isRefused(guesser("a", "10.0.0.2")))
    #expect(guesses.count == 21)
  }

  @Test func `right passwords count for nothing`() {
    #expect((1...100).allSatisfy { _ in !isRefused(guesser("a"), isRight: true) })
  }

  @Test func `an address has a few comparisons at a time`() throws {
    func nested(_ depth: Int) throws -> Int {
      do throws(HubFailure) {
        var inner = 0
        _ = try guesses.compare(by: guesser("a")) {
          inner = (try? nested(depth + 1)) ?? 0
          return true
        }
        return inner
      } catch {
        return depth
      }
    }
    #expect(try nested(0) == PasswordGuesses.maxRunning)
  }
}
