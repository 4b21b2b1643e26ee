import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMixing
import HoldfastRecording
import Testing

private let instant = WallTime(nanoseconds: 1_795_234_930_123_456_789)
private let head = #"{"at":"2026-11-21T04:22:10.123Z","event":"#
private let loss = Gap(
  .encoderTooSlow, id: 7, output: "recording",
  wallFrom: WallTime(nanoseconds: instant.nanoseconds - 100_000_000), wallTo: instant,
  mediaAt: .milliseconds(12_500), lostVideo: .milliseconds(100), lostPictures: 3, isFilled: false)
private let silence = Gap(
  .xrun, id: 8, wallFrom: instant, wallTo: instant, mediaAt: .zero,
  lostAudio: MediaTime(nanoseconds: 20_600_000))

private func track(_ codec: Codec, _ format: Track.Format) -> BroadcastEvent {
  .track(Track(codec: codec, format: format, headers: [1], bitrate: 0))
}

@Suite struct EventLineTests {
  private static let lines: KeyValuePairs<BroadcastEvent, String> = [
    .starting: #""starting","broadcast":"b1"}"#,
    .live(publishType: .record): #""live","broadcast":"b1","publishType":"record"}"#,
    .ended(reason: .stopped, duration: MediaTime(nanoseconds: 83_450_600_000), gaps: 2):
      #""ended","broadcast":"b1","reason":"stopped","durationMs":83451,"gaps":2}"#,
    .device(track: .video, state: .lost, cause: "no frame for 1 s"):
      #""device","broadcast":"b1","track":"video","state":"lost","cause":"no frame for 1 s"}"#,
    .device(track: .audio, state: .open, cause: nil):
      #""device","broadcast":"b1","track":"audio","state":"open","cause":null}"#,
    track(.hevc, .video(VideoFormat(size: PictureSize(width: 1280, height: 720), frameRate: .thirty))):
      #""track","broadcast":"b1","track":"video","codec":"hevc","width":1280,"height":720}"#,
    track(.aac, .audio(AudioFormat(sampleRate: 44_100, channels: 2))):
      #""track","broadcast":"b1","track":"audio","codec":"aac","sampleRate":44100,"channels":2}"#,
    .gap(loss):
      #""gap","broadcast":"b1","id":"7","cause":"encoderTooSlow","output":"recording","wallFrom":"2026-11-21T04:22:10.023Z","#
      + #""wallTo":"2026-11-21T04:22:10.123Z","mediaAt":12500,"lostMs":{"video":100},"filled":false}"#,
    .gap(silence):
      #""gap","broadcast":"b1","id":"8","cause":"xrun","output":null,"wallFrom":"2026-11-21T04:22:10.123Z","#
      + #""wallTo":"2026-11-21T04:22:10.123Z","mediaAt":0,"lostMs":{"audio":21},"filled":null}"#,
    .losing(loss): #""losing","broadcast":"b1","id":"7","cause":"encoderTooSlow","output":"recording","#
      + #""wallFrom":"2026-11-21T04:22:10.023Z","mediaAt":12500,"lostMs":{"video":100},"filled":false}"#,
    .clock(by: .milliseconds(-10_800_000)): #""clock","broadcast":"b1","byMs":-10800000}"#,
    .previewing: #""previewing","broadcast":"b1"}"#,
    .interrupted(cause: .user, resumableUntil: instant):
      #""interrupted","broadcast":"b1","cause":"user","resumableUntil":"\#(instant.rfc3339)"}"#,
    .resumed(publishType: .append, gap: .milliseconds(2053)):
      #""resumed","broadcast":"b1","publishType":"append","gapMs":2053}"#,
    .backgrounded: #""backgrounded","broadcast":"b1"}"#,
    .gate(.refused, reason: "no \"light\"", by: "Max"):
      #""gate","broadcast":"b1","verdict":"refused","reason":"no \"light\"","by":"Max"}"#,
    .recording(path: "recordings/a \"b\".mp4", state: .open):
      #""recording","broadcast":"b1","path":"recordings/a \"b\".mp4","state":"open"}"#,
    .disk(.full(free: 3, required: 4)):
      #""disk","broadcast":"b1","state":"full","cause":null,"freeBytes":3,"requiredBytes":4}"#,
    .disk(.failed(code: 5)):
      #""disk","broadcast":"b1","state":"failed","cause":"Input/output error","freeBytes":null,"requiredBytes":null}"#,
    .mute(track: .audio, isMuted: true): #""mute","broadcast":"b1","track":"audio","muted":true}"#,
    .programme(.tile("Hall", .video, .lost, cause: "no data for 3 s")):
      #""tile","broadcast":"b1","tile":"Hall","track":"video","state":"lost","cause":"no data for 3 s"}"#,
    .programme(.layout(.sideBySide, spotlight: nil)):
      #""layout","broadcast":"b1","layout":"side-by-side","spotlight":null}"#,
    .programme(.tileMute("Hall", isMuted: true)): #""tileMute","broadcast":"b1","tile":"Hall","muted":true}"#,
    .source(track: .video, source: "camera:C920"):
      #""source","broadcast":"b1","track":"video","source":"camera:C920"}"#,
  ]

  @Test(arguments: lines.map { ($0, $1) })
  func `every event has its own line`(event: BroadcastEvent, rest: String) {
    #expect(EventLine(at: instant, broadcast: "b1", event: event).description == head + rest)
  }

  @Test func `the values used in event lines never change`() {
    #expect(
      BroadcastEvent.EndReason.allCases.map(\.rawValue) == [
        "stopped", "duration", "sessionOver", "sourceEnded", "background", "windowClosed", "interruptedStart",
        "crash", "failed", "gateRefused", "gateTimedOut",
      ])
    #expect(
      SessionTimer.Report.allCases.map(\.rawValue) == [
        "running", "extended", "alert", "countdown", "paused", "over",
      ])
    #expect(
      BroadcastEvent.GateVerdict.allCases.map(\.rawValue) == ["asked", "passed", "refused", "timedOut"])
    #expect(BroadcastEvent.DeviceState.allCases.map(\.rawValue) == ["open", "lost", "busy", "back"])
    #expect(BroadcastEvent.RecordingState.allCases.map(\.rawValue) == ["open", "finished", "failed"])
    #expect(
      Gap.Cause.allCases.map(\.rawValue) == [
        "user", "system", "crash", "worker", "device", "deviceBusy", "source", "xrun", "encoderTooSlow",
        "diskTooSlow", "disk", "diskFailed", "fileGone", "network",
      ])
  }
}

@Suite struct JSONValueTests {
  @Test(
    arguments: [
      (.null, "null"), (.bool(true), "true"), (.integer(-9_007_199_254_740_993), "-9007199254740993"),
      (.number(2.5), "2.5"), (.number(.nan), "null"), (.number(.infinity), "null"),
      (.text("/a/ü€😀"), #""/a/ü€😀""#), (.text("\"\\\n\r\t\0\u{1F} "), #""\"\\\n\r\t\u0000\u001f ""#),
      (.text("\r\n"), #""\r\n""#), (.list([]), "[]"), (.object([]), "{}"),
      (["b": .list([.integer(1), "x"]), "a": [:]], #"{"b":[1,"x"],"a":{}}"#),
    ] as [(JSONValue, String)])
  func `a value is written on one line with its fields in order`(value: JSONValue, text: String) {
    #expect(value.description == text)
  }
}
