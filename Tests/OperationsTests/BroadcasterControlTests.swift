import HoldfastControl
import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting
@testable import HoldfastOperations
@testable import HoldfastPublishing

/// What the status and the metrics say of a snapshot.
@Suite struct BroadcasterControlTests {
  private let broadcaster: Broadcaster
  private let control: BroadcasterControl

  init() throws {
    var configuration = Configuration()
    (configuration.video.source, configuration.audio.source) = (.test, .test)
    configuration.outputs.requests = [OutputRequest(address: try OutputAddress("rtmp://h/a/k"))]
    broadcaster = Broadcaster(configuration, observe: { _ in }, finish: { _ in })
    control = BroadcasterControl(
      broadcaster, ControlHistory(EventHistory(wakeup: try Wakeup())), LivePackets {}, nil)
  }

  private func show(_ snapshot: Snapshot, in state: Lifecycle.State = .live) {
    broadcaster.published.withLock { $0.status.state = state }
    var snapshot = snapshot
    snapshot.state = state == .live ? .live : .previewing
    broadcaster.show(.snapshot(snapshot))
  }

  private static func encoded(room: Int? = nil, drift: Double? = nil) -> Snapshot {
    var snapshot = Snapshot()
    (snapshot.framesPerSecond, snapshot.bitsPerSecond) = (29.5, 2_000_000)
    (snapshot.diskRoom, snapshot.driftPPM) = (room, drift)
    snapshot.tracks[.video] = EncodedTrack(
      codec: .hevc,
      format: .video(VideoFormat(size: PictureSize(width: 640, height: 360), frameRate: .thirty)),
      bitsPerSecond: 1_900_000, targetBitrate: 1_500_000)
    snapshot.tracks[.audio] = EncodedTrack(
      codec: .opus, format: .audio(AudioFormat(sampleRate: 48_000, channels: 1)), bitsPerSecond: 100_000,
      targetBitrate: nil)
    return snapshot
  }

  @Test func `the status describes the encoded tracks`() {
    show(Self.encoded(drift: -12.34))
    let tracks = control.status().field("tracks")
    let video = tracks?.field("video")
    #expect(video?.field("codec") == "hevc" && video?.field("framesPerSecond") == .number(29.5))
    #expect(video?.field("width") == .integer(640) && video?.field("height") == .integer(360))
    #expect(video?.field("bps") == .integer(1_900_000) && video?.field("targetBps") == .integer(1_500_000))
    let audio = tracks?.field("audio")
    #expect(audio?.field("codec") == "opus" && audio?.field("driftPPM") == .number(-12.3))
    #expect(audio?.field("sampleRate") == .integer(48_000) && audio?.field("channels") == .integer(1))
  }

  @Test func `what is not known yet is null`() {
    show(Snapshot())
    let tracks = control.status().field("tracks")
    for field in ["codec", "width", "height", "targetBps", "bps"] {
      #expect(tracks?.field("video")?.field(field) == .null, "\(field)")
    }
    for field in ["codec", "sampleRate", "channels", "driftPPM"] {
      #expect(tracks?.field("audio")?.field(field) == .null, "\(field)")
    }
    #expect(control.status().field("diskSecondsLeft") == .null)
    #expect(!control.metrics().text.contains("holdfast_audio_drift_ppm"))
  }

  @Test func `the drift of the sound card is a metric`() {
    show(Self.encoded(drift: 31.5))
    #expect(control.metrics().text.contains("\nholdfast_audio_drift_ppm 31.5\n"))
  }

  @Test(
    arguments: [(.live, 500_000_000, .integer(2000)), (.live, nil, .null), (.previewing, 500, .null)]
      as [(Lifecycle.State, Int?, JSONValue)])
  func `the disk's time left is its room at the present rate, while there is one`(
    state: Lifecycle.State, room: Int?, seconds: JSONValue
  ) {
    show(Self.encoded(room: room), in: state)
    #expect(control.status().field("diskSecondsLeft") == seconds)
  }

  @Test func `a check has the required rate before it has run, and no measured one`() {
    guard case .list(let outputs)? = control.status().field("outputs") else { return }
    let check = outputs.first?.field("check")
    #expect(check?.field("requiredBps") == .integer(2_628_000) && check?.field("uploadBps") == .null)
  }

  @Test(
    arguments: [
      (
        .init(.upload, "accepted", bitsPerSecond: 8_200_000), 2_700_000,
        "8.20 Mb/s upload, the broadcast needs 2.70 Mb/s"
      ),
      (.init(.upload, "accepted", bitsPerSecond: 8_200_000), nil, "8.20 Mb/s upload"),
      (.init(.roundTrip, "there and back"), 2_700_000, "roundTrip: there and back"),
    ] as [(ServerCheck.Result, Int?, String)])
  func `the result of a check compares the upload with what the broadcast needs`(
    last: ServerCheck.Result, required: Int?, text: String
  ) {
    let check = OutputChecks.Check(last, isFine: true, required: required)
    #expect(check.what == text && check.uploadRate == last.bitsPerSecond && check.state == .fine)
    let warned = OutputChecks.Check(last, isFine: true, required: required, warning: "it drops AV1")
    #expect(warned.what == text + "; it drops AV1" && warned.state == .fine)
  }

  @Test(arguments: [nil, "small"])
  func `what can't be watched is refused with a reason`(rendition: String?) {
    let error = #expect(throws: APIError.self) { try control.live(rendition: rendition) }
    #expect(error?.status == 404)
    #expect(error?.code == (rendition == nil ? "notLive" : "noSuchRendition"))
    #expect(control.isLiveEncoded(rendition) == false)
    #expect(control.metrics().text.contains("\nholdfast_live_viewers 0\n"))
  }
}
