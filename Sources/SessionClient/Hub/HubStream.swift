import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform

/// Reads the session's events on a thread of its own, until it is closed or ends.
final class HubStream: Sendable {
  private let thread: StoppableThread

  private static let openTimeout = MediaTime.seconds(4)

  init(
    _ number: Int, _ request: HTTPRequest, at place: HubRequests.Place, silence: MediaTime,
    post: @escaping @Sendable (MembershipMachine.Event) -> Void
  ) throws(SystemError) {
    thread = try StoppableThread(name: "session-events") { stop in
      do throws(HTTPClientError) {
        let opening = try HTTPEventStream.open(
          request, at: place.address.origin, tls: place.tls, within: Self.openTimeout, silence: silence,
          stop: stop)
        switch consume opening {
        case .refused(let response): post(.streamClosed(number, HubRequests.failure(response)))
        case .stream(var stream):
          post(.streamOpened(number))
          try Self.read(&stream, number, stop, post)
        }
      } catch {
        // A stream that was closed on purpose has no outcome.
        if error.kind != .stopped { post(.streamClosed(number, .unreachable("\(error)"))) }
      }
    }
  }

  private static func read(
    _ stream: inout HTTPEventStream, _ number: Int, _ stop: Wakeup,
    _ post: @Sendable (MembershipMachine.Event) -> Void
  ) throws(HTTPClientError) {
    while true {
      switch try stream.next(until: stream.silentUntil + .seconds(1)) {
      case .event(let event):
        let data = (try? JSONValue(reading: Array(event.data.utf8).span)) ?? .null
        post(.streamed(number, HubEvent(id: event.id, name: event.name, data: data)))
      case .nothing: break
      case .ended: return post(.streamClosed(number, .unreachable("the hub has ended the stream of events")))
      }
    }
  }

  func close() { thread.stop() }
}
