import HoldfastMediaModel
import HoldfastRecording
import TestRandomness

/// What a broadcast records, and what goes wrong meanwhile.
struct LifePlan {
  enum Trouble: Hashable {
    case interruption(Int64)
    case pictures(Int)
    /// Missing sound, which silence replaces.
    case sound(Int64, Gap.Cause)
    /// The camera is lost; a slate takes its place after a second.
    case camera(Int64)
    case slowDisk(Int64)
    case fullDisk(Int64)
    case brokenDisk(Int64)
    case deletedFile
    /// The next file cannot be opened.
    case noNextFile
    /// The process is killed, and with it the end of its file; another one continues it.
    case crash(Int64, cut: Int, reboots: Bool)
  }

  var tracks: Set<TrackKind> = [.video, .audio]
  var sound = Codec.aac
  /// Encoded pictures are copied, with B-frames.
  var isCopied = false
  /// How late pictures are at most.
  var jitter: Int64 = 0
  var segment: SegmentLength?
  var keepsGaps = false
  var keyframeInterval: Int64 = 30
  /// In milliseconds.
  var length: Int64 = 12_000
  var troubles: [(at: Int64, Trouble)] = []

  init() {}

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    tracks = random.one(of: [[.video, .audio], [.video, .audio], [.video, .audio], [.video], [.audio]])
    sound = random.one(of: [.aac, .aac, .opus])
    isCopied = random.number(0...3) == 0
    jitter = random.one(of: [0, 3_000_000, 25_000_000, 40_000_000])
    segment = random.one(of: [nil, .duration(.milliseconds(random.number(3000...6000))), .size(560_000)])
    keepsGaps = random.number(0...1) == 0
    keyframeInterval = random.one(of: [15, 30, 60])
    length = random.number(12_000...20_000)
    var time = random.number(500...3000)
    // A disk that failed is tried again after 5 s at the latest.
    while time < length - 9000 {
      troubles.append((time, Self.trouble(&random)))
      time += random.number(200...6000)
    }
  }

  private static func trouble(_ random: inout SplitMix64) -> Trouble {
    let length = random.number(50...3000)
    switch random.number(0...11) {
    case 0, 1, 2: return .interruption(length)
    case 3: return .pictures(Int(random.number(1...20)))
    case 4: return .sound(length, random.one(of: [.source, .xrun, .encoderTooSlow, .device]))
    case 5: return .camera(length)
    case 6: return .slowDisk(length)
    case 7: return .fullDisk(length)
    case 8: return .brokenDisk(length)
    case 9: return .deletedFile
    case 10: return .noNextFile
    default: return .crash(length, cut: Int(random.number(0...3000)), reboots: random.number(0...1) == 0)
    }
  }
}

extension SplitMix64 {
  mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }

  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int(number(0...Int64(elements.count - 1)))]
  }
}
