import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastHTTP

@Suite struct StoppedServerTests {
  @Test func `a server that stops refuses what has not begun, and says nothing about what has`() throws {
    let begun = Locked<[String]>([])
    let isReleased = Locked(false)
    let outcomes = Locked<[String: String]>([:])
    let server = try HandlerServer { request in
      .deferred(.commands) {
        begun.withLock { $0.append(request.path) }
        let isDone = eventually { isReleased.withLock { $0 } }
        return .json(["done": .bool(isDone)])
      }
    }
    let origin = try server.origin
    func send(_ path: String) throws -> WorkerThread {
      let stop = try Wakeup()
      return try WorkerThread(name: "request") {
        var client = HTTPClient(origin, stop: stop)
        let outcome: String
        do throws(HTTPClientError) {
          outcome = try client.send(HTTPRequest("POST", path), within: .seconds(60)).text
        } catch {
          outcome = error.kind.rawValue
        }
        outcomes.withLock { $0[path] = outcome }
      }
    }
    // As many as are worked on at the same time, and one that waits for its turn.
    let first = try send("/1")
    let second = try send("/2")
    #expect(eventually { begun.withLock(\.count) == 2 })
    let third = try send("/3")
    #expect(eventually { server.received.count == 3 })
    let stopping = try WorkerThread(name: "stop") { server.stop() }
    #expect(eventually { outcomes.withLock(\.count) == 3 })
    isReleased.withLock { $0 = true }
    stopping.join()
    first.join()
    second.join()
    third.join()
    let unanswered = HTTPClientError.Kind.invalidResponse.rawValue
    let told = outcomes.withLock { $0 }
    #expect((told["/1"], told["/2"], told["/3"]?.contains("notTaken")) == (unanswered, unanswered, true))
    #expect(begun.withLock { $0.sorted() } == ["/1", "/2"])
  }
}
