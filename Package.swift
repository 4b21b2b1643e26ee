// swift-tools-version: 6.3
import PackageDescription

let everywhere: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A target that touches neither a C library nor the operating system.
func pure(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: everywhere + [.strictMemorySafety()])
}

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: everywhere)
}

func tests(_ name: String, of dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: everywhere)
}

let package = Package(
  name: "holdfast",
  products: [
    .executable(name: "holdfast", targets: ["holdfast"]),
    .library(
      name: "Holdfast", targets: ["Broadcasting", "Lifecycle", "MediaModel", "Publishing", "Recording"]),
    .library(name: "HoldfastTesting", targets: ["HoldfastTesting", "MediaServer", "MediaModel"]),
  ],
  targets: [
    .systemLibrary(name: "CFFmpeg", path: "Modules/CFFmpeg", pkgConfig: "libavformat"),
    .systemLibrary(name: "CALSA", path: "Modules/CALSA", pkgConfig: "alsa"),
    .systemLibrary(name: "CVideo4Linux", path: "Modules/CVideo4Linux", pkgConfig: "libv4l2"),
    .systemLibrary(name: "CUdev", path: "Modules/CUdev", pkgConfig: "libudev"),
    .systemLibrary(name: "COpenSSL", path: "Modules/COpenSSL", pkgConfig: "openssl"),
    .systemLibrary(name: "CSRT", path: "Modules/CSRT", pkgConfig: "srt"),
    .systemLibrary(name: "CSystemd", path: "Modules/CSystemd", pkgConfig: "libsystemd"),
    .systemLibrary(name: "CMicroHTTPD", path: "Modules/CMicroHTTPD", pkgConfig: "libmicrohttpd"),
    .systemLibrary(name: "CJWT", path: "Modules/CJWT", pkgConfig: "libjwt"),
    .systemLibrary(name: "CPlatform", path: "Modules/CPlatform"),

    pure("MediaModel"),
    pure("Marks", ["MediaModel"]),
    pure("Lifecycle", ["MediaModel"]),
    pure("RTMP", ["MediaModel"]),
    pure("RTSP", ["MediaModel"]),
    module("Platform", ["COpenSSL", "CPlatform", "CSystemd", "MediaModel"]),
    module("FFmpeg", ["CFFmpeg", "MediaModel"]),
    module("Capture", ["CALSA", "CVideo4Linux", "CUdev", "FFmpeg", "Marks", "MediaModel", "Platform"]),
    module("Publishing", ["CSRT", "FFmpeg", "Lifecycle", "MediaModel", "Platform", "RTMP", "RTSP"]),
    module("Recording", ["FFmpeg", "Marks", "MediaModel", "Platform"]),
    .target(
      name: "Control", dependencies: ["CJWT", "CMicroHTTPD", "Lifecycle", "MediaModel", "Platform"],
      resources: [.embedInCode("API/openapi.json"), .embedInCode("Page")], swiftSettings: everywhere),
    module("MediaServer", ["MediaModel", "Platform", "RTMP"]),
    module("HoldfastTesting", ["MediaModel", "MediaServer", "Platform"]),
    module(
      "Broadcasting", ["Capture", "FFmpeg", "Lifecycle", "MediaModel", "Platform", "Publishing", "Recording"]),
    module(
      "Commands",
      [
        "Broadcasting", "Capture", "Control", "Lifecycle", "Marks", "MediaModel", "MediaServer", "Platform",
        "Publishing", "Recording",
      ]),
    .executableTarget(name: "holdfast", dependencies: ["Commands"], swiftSettings: everywhere),

    .target(
      name: "TestSupport", dependencies: ["Control", "FFmpeg", "Marks", "MediaModel", "Platform"],
      path: "Tests/Support",
      swiftSettings: everywhere),
    .executableTarget(
      name: "read-marks", dependencies: ["TestSupport"], path: "Tests/ReadMarks", swiftSettings: everywhere),
    .executableTarget(
      name: "bench-recovery", dependencies: ["TestSupport"], path: "Tests/BenchRecovery",
      swiftSettings: everywhere),
    .executableTarget(
      name: "soak-interruptions", dependencies: ["Marks", "MediaModel", "Platform", "TestSupport"],
      path: "Tests/SoakInterruptions", swiftSettings: everywhere),
    .executableTarget(
      name: "soak-crashes", dependencies: ["TestSupport"], path: "Tests/SoakCrashes",
      swiftSettings: everywhere),
    .executableTarget(
      name: "bench", dependencies: ["TestSupport"], path: "Tests/Benchmarks",
      exclude: ["Control", "Fleet", "Recording", "RTMPThroughput", "Session", "bench-publishes"],
      swiftSettings: everywhere),
    .executableTarget(
      name: "bench-control", dependencies: ["Marks", "MediaModel", "Platform", "TestSupport"],
      path: "Tests/Benchmarks/Control", swiftSettings: everywhere),
    .executableTarget(
      name: "bench-recording", dependencies: ["FFmpeg", "MediaModel", "Recording", "TestSupport"],
      path: "Tests/Benchmarks/Recording", swiftSettings: everywhere),
    .executableTarget(
      name: "bench-session", dependencies: ["Marks", "MediaModel", "TestSupport"],
      path: "Tests/Benchmarks/Session",
      swiftSettings: everywhere),
    .executableTarget(
      name: "bench-rtmp", dependencies: ["RTMP"], path: "Tests/Benchmarks/RTMPThroughput",
      swiftSettings: everywhere),
    .executableTarget(
      name: "fleet", dependencies: ["Lifecycle", "MediaModel"], path: "Tests/Benchmarks/Fleet",
      swiftSettings: everywhere),
    .target(
      name: "Simulation", dependencies: ["Lifecycle", "MediaModel", "Recording"], path: "Tests/Simulation",
      swiftSettings: everywhere),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation"], path: "Tests/Simulate", swiftSettings: everywhere),
    .target(
      name: "FuzzTargets", dependencies: ["MediaModel", "RTMP", "RTSP", "Recording"], path: "Tests/Fuzz",
      exclude: ["Corpus", "Entry.swift", "Fast", "Findings", "fuzz"], swiftSettings: everywhere),

    tests("MediaModelTests", of: ["MediaModel"]),
    tests("MarksTests", of: ["Marks", "MediaModel"]),
    tests("LifecycleTests", of: ["Lifecycle", "MediaModel"]),
    tests("RTMPTests", of: ["MediaModel", "Platform", "RTMP"]),
    tests("FuzzTests", of: ["FuzzTargets"]),
    tests("RTSPTests", of: ["MediaModel", "RTSP"]),
    tests("PlatformTests", of: ["COpenSSL", "MediaModel", "Platform", "TestSupport"]),
    tests("CaptureTests", of: ["Capture", "FFmpeg", "Marks", "MediaModel", "Platform"]),
    tests("FFmpegTests", of: ["FFmpeg", "MediaModel", "TestSupport"]),
    tests(
      "PublishingTests",
      of: ["FFmpeg", "Lifecycle", "MediaModel", "Platform", "Publishing", "RTMP", "RTSP", "TestSupport"]),
    tests(
      "MediaServerTests",
      of: ["FFmpeg", "HoldfastTesting", "MediaModel", "MediaServer", "Platform", "RTMP", "TestSupport"]),
    tests("RecordingTests", of: ["FFmpeg", "Marks", "MediaModel", "Platform", "Recording", "TestSupport"]),
    tests("SimulationTests", of: ["Simulation"]),
    tests("ControlTests", of: ["Control", "Lifecycle", "MediaModel", "Platform", "TestSupport"]),
    tests(
      "BroadcastingTests",
      of: [
        "Broadcasting", "Capture", "FFmpeg", "Lifecycle", "Marks", "MediaModel", "Platform", "Recording",
        "TestSupport",
      ]),
    tests(
      "CommandsTests",
      of: [
        "Broadcasting", "Commands", "Control", "Lifecycle", "MediaModel", "MediaServer", "Platform",
        "Publishing", "Recording", "TestSupport",
      ]),
    tests("ArchitectureTests", of: []),
    tests("PeerTests", of: ["Marks", "MediaModel", "Platform", "TestSupport"]),
    tests(
      "ProgramTests",
      of: [
        "FFmpeg", "holdfast", "HoldfastTesting", "Marks", "MediaModel", "MediaServer", "Platform", "RTMP",
        "TestSupport",
      ]),
  ]
)
