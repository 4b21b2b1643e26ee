import CSRT
import Glibc
import Platform

/// A listener inside the test, which notes the names of the streams that are asked for and refuses them as it is told.
final class SRTTestListener: Sendable {
  let port: UInt16
  private let socket: SRTSOCKET
  private let state: Locked<State>

  private struct State {
    let rejection: Int32?
    var streamIDs: [String] = []
  }

  /// `rejection` is one of libsrt's codes; nil lets everybody in.
  init(rejection: Int32?) {
    srt_startup()
    port = freeUDPPort()
    socket = srt_create_socket()
    state = Locked(State(rejection: rejection))
    srt_listen_callback(socket, Self.decide, Unmanaged.passUnretained(self).toOpaque())
    let status = withLoopback(port) { srt_bind(socket, $0, Int32($1)) }
    precondition(status == 0, "the port is taken")
    srt_listen(socket, 5)
  }

  deinit {
    srt_close(socket)
  }

  var streamIDs: [String] { state.withLock { $0.streamIDs } }

  private static let decide:
    @convention(c) (
      UnsafeMutableRawPointer?, SRTSOCKET, Int32, UnsafePointer<sockaddr>?, UnsafePointer<CChar>?
    ) -> Int32 = { opaque, socket, _, _, name in
      guard let opaque else { return -1 }
      let listener = Unmanaged<SRTTestListener>.fromOpaque(opaque).takeUnretainedValue()
      let rejection = listener.state.withLock { state in
        state.streamIDs.append(name.map { String(cString: $0) } ?? "")
        return state.rejection
      }
      guard let rejection else { return 0 }
      srt_setrejectreason(socket, rejection)
      return -1
    }
}
