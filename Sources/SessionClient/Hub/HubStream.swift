import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform

/// Reads the session's events on a thread of its own, until it is closed or ends.
final class HubStream: Sendable {
  private let thread: StoppableThread

  private static let openTimeout = MediaTime.seconds(4)
  /// A stream whose events come faster than they are handled waits, so that other events find room in the inbox.
  static let maxUnread = 256
  private static let pause = MediaTime.milliseconds(10)

  /// `unread` is how many events were posted that are not handled yet, also by streams before this one.
  init(
    _ number: Int, _ request: HTTPRequest, at place: HubRequests.Place, silence: MediaTime,
    unread: Locked<Int>, post: @escaping @Sendable (MembershipMachine.Event) -> Void
  ) throws(SystemError) {
    thread = try StoppableThread(name: "session-events") { stop in
      do throws(HTTPClientError) {
        let opening = try HTTPEventStream.open(
          request, at: place.address.origin, tls: place.tls, within: Self.openTimeout, silence: silence,
          stop: stop)
        switch consume opening {
        case .refused(let response): post(.streamClosed(number, HubFailure(response)))
        case .stream(var stream):
          post(.streamOpened(number))
          try Self.read(&stream, number, stop, unread, post)
        }
      } catch {
        // A stream that was closed on purpose has no outcome.
        if error.kind != .stopped { post(.streamClosed(number, .unreachable("\(error)"))) }
      }
    }
  }

  private static func read(
    _ stream: inout HTTPEventStream, _ number: Int, _ stop: Wakeup, _ unread: Locked<Int>,
    _ post: @Sendable (MembershipMachine.Event) -> Void
  ) throws(HTTPClientError) {
    while true {
      switch try stream.next(until: stream.silentUntil + .seconds(1)) {
      case .event(let event):
        while unread.withLock({ $0 >= maxUnread }) { if stop.wait(until: .now + pause) { return } }
        unread.withLock { $0 += 1 }
        let data = (try? JSONValue(reading: Array(event.data.utf8).span)) ?? .null
        post(.streamed(number, HubEvent(id: event.id, name: event.name, data: data)))
      case .nothing: break
      case .ended: return post(.streamClosed(number, .unreachable("the hub has ended the stream of events")))
      }
    }
  }

  func close() { thread.stop() }
}
