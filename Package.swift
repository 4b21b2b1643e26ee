// swift-tools-version: 6.3
import PackageDescription

let everywhere: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// How our own commands build: `debug`, of which `make demo` and `make test` share one, or `release`. Packages that depend on
/// this one can't have such flags.
let development = Context.environment["DEVELOPMENT_BUILD"]

/// Optimized in the debug build, too: they compute so much that they would be the tests' pace.
let computing: Set = ["Marks", "MediaModel", "Mixing"]

/// Not optimized in the release build either: a broadcast runs through them once, or when somebody asks.
let unoptimized: Set = [
  "BroadcastCommands", "Commands", "Control", "HoldfastProgram", "Lettering", "Membership", "Operations",
  "Service",
  "SessionClient", "Tokens",
]

/// Optimized by LLVM alone, as Swift's own passes take most of the compilation. For work on finished files only: a hub that
/// was built so took half as much processor time again.
let optimizedByLLVM: Set = ["Postproduction"]

/// Optimized without a copy of each generic function for each type: they handle pictures and packets, but compute nothing with
/// what is in them.
let unspecialized: Set = ["Broadcasting", "MediaServer", "RTSP", "Recording"]

func flags(_ name: String) -> [SwiftSetting] {
  // Nothing waits for a module's interface alone, and what the compiler writes needs no check by LLVM.
  let common = ["-no-emit-module-separately-wmo", "-Xfrontend", "-disable-llvm-verify"]
  // A module as a whole, with line tables alone as debug information: half the work. They are passed to the frontend, as the
  // driver would follow the -g that SwiftPM appends.
  let debug = ["-whole-module-optimization", "-num-threads", "2", "-Xfrontend", "-gline-tables-only"]
  return switch development {
  case nil: []
  case "release" where unoptimized.contains(name): [.unsafeFlags(common + ["-Onone"])]
  case "release" where optimizedByLLVM.contains(name):
    [.unsafeFlags(common + ["-Xfrontend", "-disable-sil-perf-optzns"])]
  case "release" where unspecialized.contains(name):
    [.unsafeFlags(common + ["-Xllvm", "-sil-disable-pass=generic-specializer"])]
  case "release": [.unsafeFlags(common)]
  default: [.unsafeFlags(common + debug + (computing.contains(name) ? ["-O"] : []))]
  }
}

/// A module of the sources, named after its folder. The prefix keeps it apart from other packages' modules.
func module(_ folder: String, _ dependencies: [String], exclude: [String] = []) -> Target {
  .target(
    name: "Holdfast\(folder)", dependencies: dependencies.map(named), path: "Sources/\(folder)",
    exclude: exclude, swiftSettings: everywhere + flags(folder))
}

/// A module that touches neither a C library nor the operating system.
func pure(_ folder: String, _ dependencies: [String] = []) -> Target {
  let target = module(folder, dependencies)
  target.swiftSettings = everywhere + flags(folder) + [.strictMemorySafety()]
  return target
}

let folders: Set = [
  "BroadcastCommands", "Broadcasting", "Capture", "Commands", "Control", "FFmpeg", "HTTP", "Hub", "Lettering",
  "Lifecycle",
  "Live", "MP4", "Marks", "MediaModel", "MediaServer", "MediaSources", "Membership", "Mixing", "Operations",
  "Pages", "Platform", "Postproduction", "Publishing", "RTMP", "RTSP", "Recording", "RedisStore",
  "SQLiteStore", "Service",
  "Session", "SessionClient", "Stores", "Tokens",
]

let libraries: Set = [
  "CALSA", "CCommit", "CFFmpeg", "CFreeType", "CHiredis", "CJWT", "CMicroHTTPD", "COpenSSL", "CPages",
  "CPlatform", "CSQLite", "CSRT", "CSystemd", "CUdev", "CUnistring", "CVideo4Linux", "CYUV",
]

/// A C library of the system.
func library(_ name: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: "Holdfast\(name)", path: "Modules/\(name)", pkgConfig: pkgConfig)
}

/// A module of the sources by its folder, a C library by its module, anything else by its name.
func named(_ name: String) -> Target.Dependency {
  .byName(name: folders.contains(name) || libraries.contains(name) ? "Holdfast\(name)" : name)
}

func tests(
  _ name: String, of dependencies: [String], path: String? = nil, exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map(named) + ["TestRandomness", "TestTraits"],
    path: "Tests/\(path ?? name)",
    exclude: exclude,
    swiftSettings: everywhere + flags(name))
}

/// A module that only tests and measurements use.
func support(_ name: String, _ dependencies: [String], path: String, exclude: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies.map(named), path: "Tests/\(path)", exclude: exclude,
    swiftSettings: everywhere + flags(name))
}

/// The program that measures, or tries something for a long time. `make` asks for it; `swift test` doesn't build it.
let measurements: [Target] = [
  .systemLibrary(name: "CEpoll", path: "Tests/Benchmarks/CEpoll"),
  .executableTarget(
    name: "measure",
    dependencies: [
      "CEpoll", "COpenSSL", "FFmpeg", "HoldfastTesting", "Lifecycle", "MP4", "Marks", "MediaModel",
      "Membership", "Platform", "Postproduction", "RTMP", "Recording", "Session", "SessionSimulation",
      "Simulation",
      "TestRandomness", "TestSupport", "TestVirtualTime", "Tokens",
    ].map(named), path: "Tests/Benchmarks",
    exclude: ["CEpoll", "Live", "Mixer", "Relay", "bench-publishes"],
    swiftSettings: everywhere + flags("measure")),
]

let package = Package(
  name: "holdfast",
  products: [
    .executable(name: "holdfast", targets: ["HoldfastProgram"]),
    .library(name: "Holdfast", targets: ["Holdfast"]),
    .library(name: "HoldfastTesting", targets: ["HoldfastTesting"]),
  ],
  targets: [
    library("CFFmpeg", pkgConfig: "libavformat"),
    library("CALSA", pkgConfig: "alsa"),
    library("CVideo4Linux", pkgConfig: "libv4l2"),
    library("CUdev", pkgConfig: "libudev"),
    library("COpenSSL", pkgConfig: "openssl"),
    library("CSRT", pkgConfig: "srt"),
    library("CSystemd", pkgConfig: "libsystemd"),
    library("CMicroHTTPD", pkgConfig: "libmicrohttpd"),
    library("CJWT", pkgConfig: "libjwt"),
    library("CSQLite", pkgConfig: "sqlite3"),
    library("CFreeType", pkgConfig: "freetype2"),
    library("CUnistring"),
    library("CYUV"),
    library("CHiredis"),
    library("CPlatform"),

    pure("MediaModel"),
    pure("Marks", ["MediaModel"]),
    pure("Lifecycle", ["MediaModel"]),
    pure("Session", ["Lifecycle", "MediaModel"]),
    pure("Stores", ["MediaModel", "Session"]),
    pure("Membership", ["MediaModel", "Session"]),
    pure("Mixing", ["MediaModel"]),
    pure("MP4", ["MediaModel"]),
    pure("RTMP", ["MediaModel"]),
    pure("RTSP", ["MediaModel"]),
    module("Platform", ["COpenSSL", "CPlatform", "CUnistring", "MediaModel"]),
    module("SQLiteStore", ["CSQLite", "MediaModel", "Platform", "Session", "Stores"]),
    module("RedisStore", ["CHiredis", "MediaModel", "Platform", "Session", "Stores"]),
    module("Service", ["CSystemd", "MediaModel", "Platform"]),
    module("FFmpeg", ["CFFmpeg", "CYUV", "MediaModel"]),
    module("Lettering", ["CFreeType"]),
    module("MediaSources", ["FFmpeg", "Lifecycle", "Marks", "MediaModel", "Platform"]),
    module(
      "Capture", ["CALSA", "CVideo4Linux", "CUdev", "FFmpeg", "MediaModel", "MediaSources", "Platform"]),
    module("Publishing", ["CSRT", "FFmpeg", "Lifecycle", "MediaModel", "Platform", "RTMP", "RTSP"]),
    module("Recording", ["FFmpeg", "MP4", "MediaModel", "Platform"]),
    module("Postproduction", ["FFmpeg", "MP4", "Marks", "MediaModel", "Platform", "Recording"]),
    module("Live", ["MP4", "MediaModel", "Platform", "Recording"]),
    module("HTTP", ["CMicroHTTPD", "MediaModel", "Platform"]),
    module("Tokens", ["CJWT", "HTTP", "MediaModel", "Platform"]),
    module(
      "Hub",
      [
        "HTTP", "Lifecycle", "Live", "MediaModel", "MediaServer", "MediaSources", "Pages", "Platform",
        "Session", "Stores", "Tokens",
      ], exclude: ["API/openapi.json"]),
    module(
      "Control", ["HTTP", "Lifecycle", "MediaModel", "Pages", "Platform", "Tokens"],
      exclude: ["API/openapi.json"]),
    .target(name: "HoldfastCPages", path: "Modules/CPages"),
    .target(name: "HoldfastCCommit", path: "Modules/CCommit", exclude: ["archived"]),
    module("Pages", ["CPages"], exclude: ["Box", "Session", "Shared"]),
    module("MediaServer", ["MediaModel", "Platform", "RTMP"]),
    module(
      "Broadcasting",
      [
        "Capture", "FFmpeg", "Lettering", "Lifecycle", "Live", "MP4", "MediaModel", "MediaSources", "Mixing",
        "Platform", "Publishing", "Recording",
      ]),
    module(
      "SessionClient",
      [
        "Broadcasting", "HTTP", "Lifecycle", "MediaModel", "Membership", "Platform", "Publishing",
        "Recording", "Session",
      ]),
    module(
      "Operations",
      [
        "Broadcasting", "Capture", "Control", "HTTP", "Lifecycle", "MediaModel", "Membership", "Mixing",
        "Platform", "Publishing", "Recording", "Session", "SessionClient",
      ]),
    module(
      "Commands",
      [
        "Capture", "Control", "HTTP", "Hub", "Lifecycle", "MP4", "Marks", "MediaModel", "MediaServer",
        "Platform", "Postproduction", "Publishing", "Recording", "RedisStore", "SQLiteStore", "Service",
        "Session",
        "Stores", "Tokens",
      ]),
    module(
      "BroadcastCommands",
      [
        "Broadcasting", "CCommit", "Commands", "Control", "HTTP", "Lifecycle", "MediaModel",
        "MediaServer", "MediaSources", "Membership", "Mixing", "Operations", "Platform", "Publishing",
        "Recording", "Service", "Session", "SessionClient", "Tokens",
      ]),
    .target(
      name: "Holdfast",
      dependencies: [
        "Broadcasting", "Capture", "FFmpeg", "HTTP", "Lifecycle", "MediaModel", "MediaSources", "Membership",
        "Platform", "Publishing", "Recording", "Session", "SessionClient",
      ].map(named), swiftSettings: everywhere + flags("Holdfast")),
    .target(
      name: "HoldfastTesting",
      dependencies: ["Holdfast"]
        + ["HTTP", "Hub", "MediaModel", "MediaServer", "Platform", "Session", "Stores", "Tokens"].map(named),
      swiftSettings: everywhere + flags("HoldfastTesting")),
    .executableTarget(
      name: "HoldfastProgram", dependencies: [named("BroadcastCommands")], path: "Sources/Program",
      swiftSettings: everywhere + flags("HoldfastProgram")),

    support(
      "TestSupport",
      [
        "Control", "FFmpeg", "HTTP", "Lifecycle", "MP4", "Marks", "MediaModel", "Platform", "Postproduction",
        "RTMP", "Recording", "TestRandomness", "Tokens",
      ],
      path: "Support",
      exclude: ["Randomness", "Stores", "Tables", "Traits", "VirtualTime"]),
    support("TestRandomness", [], path: "Support/Randomness"),
    support("TestVirtualTime", ["MediaModel", "TestRandomness"], path: "Support/VirtualTime"),
    support("TestTables", [], path: "Support/Tables"),
    support("TestTraits", [], path: "Support/Traits"),
    support("TestStores", ["MediaModel", "Session", "Stores", "TestRandomness"], path: "Support/Stores"),
    support(
      "Simulation",
      [
        "Broadcasting", "Lifecycle", "MediaModel", "MediaSources", "Platform", "Publishing", "Recording",
        "TestRandomness", "TestVirtualTime",
      ],
      path: "Simulation", exclude: ["Tests"]),
    support(
      "SessionSimulation",
      [
        "HTTP", "Hub", "Lifecycle", "MediaModel", "Membership", "Platform", "Session", "Stores",
        "TestRandomness", "TestVirtualTime",
      ],
      path: "SessionSimulation", exclude: ["Tests"]),
    support(
      "FuzzTargets", ["MP4", "MediaModel", "RTMP", "RTSP"], path: "Fuzz",
      exclude: ["Corpus", "Entry.swift", "Fast", "Findings", "Tests", "fuzz"]),

    tests("MediaModelTests", of: ["MediaModel"]),
    tests("MarksTests", of: ["Marks", "MediaModel"]),
    tests("LifecycleTests", of: ["Lifecycle", "MediaModel", "TestTables"]),
    tests("SessionTests", of: ["Lifecycle", "MediaModel", "Session", "TestTables"]),
    tests("StoresTests", of: ["Lifecycle", "MediaModel", "Session", "Stores", "TestStores"]),
    tests(
      "HubTests",
      of: [
        "HTTP", "Hub", "MediaModel", "MediaServer", "Platform", "Session", "Stores", "TestStores",
        "TestSupport", "Tokens",
      ]),
    tests(
      "SQLiteStoreTests",
      of: [
        "Lifecycle", "MediaModel", "Platform", "SQLiteStore", "Session", "Stores", "TestStores",
        "TestSupport",
      ]),
    tests(
      "RedisStoreTests",
      of: ["MediaModel", "Platform", "RedisStore", "Session", "Stores", "TestStores", "TestSupport"]),
    tests(
      "MembershipTests",
      of: ["MediaModel", "Membership", "Session", "Stores", "TestStores", "TestTables"]),
    tests(
      "SessionClientTests",
      of: [
        "Broadcasting", "HTTP", "MediaModel", "Membership", "Platform", "Publishing", "Session",
        "SessionClient", "TestSupport",
      ]),
    tests("MixingTests", of: ["MediaModel", "Mixing"]),
    tests("MP4Tests", of: ["MP4", "MediaModel", "TestSupport"]),
    tests("LiveTests", of: ["Live", "MP4", "MediaModel", "TestSupport"]),
    tests("RTMPTests", of: ["MediaModel", "Platform", "RTMP"]),
    tests("FuzzTests", of: ["FuzzTargets"], path: "Fuzz/Tests"),
    tests("RTSPTests", of: ["MediaModel", "RTSP"]),
    tests("PlatformTests", of: ["MediaModel", "Platform", "TestSupport"]),
    tests("ServiceTests", of: ["MediaModel", "Platform", "Service", "TestSupport"]),
    tests("MediaSourcesTests", of: ["FFmpeg", "Marks", "MediaModel", "MediaSources", "Platform"]),
    tests("CaptureTests", of: ["Capture", "FFmpeg", "MediaModel", "MediaSources", "Platform"]),
    tests("LetteringTests", of: ["Lettering"]),
    tests("FFmpegTests", of: ["FFmpeg", "MediaModel", "TestSupport"]),
    tests(
      "PublishingTests",
      of: ["FFmpeg", "Lifecycle", "MediaModel", "Platform", "Publishing", "RTMP", "RTSP", "TestSupport"]),
    tests(
      "MediaServerTests",
      of: [
        "FFmpeg", "HoldfastTesting", "Lifecycle", "MediaModel", "MediaServer", "Platform", "Publishing",
        "RTMP", "TestSupport",
      ]),
    tests(
      "RecordingTests",
      of: ["FFmpeg", "MP4", "Marks", "MediaModel", "Platform", "Postproduction", "Recording", "TestSupport"]),
    tests("SimulationTests", of: ["Simulation", "TestVirtualTime"], path: "Simulation/Tests"),
    tests(
      "SessionSimulationTests",
      of: ["MediaModel", "Membership", "Session", "SessionSimulation", "Stores", "TestVirtualTime"],
      path: "SessionSimulation/Tests"),
    tests("HTTPTests", of: ["HTTP", "MediaModel", "Platform", "TestSupport"]),
    tests(
      "ControlTests",
      of: ["Control", "HTTP", "Lifecycle", "MediaModel", "Pages", "Platform", "TestSupport", "Tokens"]),
    tests("TokensTests", of: ["HTTP", "MediaModel", "Platform", "TestSupport", "Tokens"]),
    tests("PagesTests", of: ["Pages", "TestSupport"]),
    tests(
      "BroadcastingTests",
      of: [
        "Broadcasting", "Capture", "FFmpeg", "Lifecycle", "MP4", "Marks", "MediaModel", "MediaSources",
        "Mixing", "Platform", "Postproduction", "Publishing", "Recording", "TestSupport",
      ]),
    tests(
      "OperationsTests",
      of: [
        "Broadcasting", "Control", "HTTP", "Lifecycle", "MediaModel", "Membership", "Operations", "Platform",
        "Publishing", "Recording", "Session",
      ]),
    tests(
      "CommandsTests",
      of: [
        "BroadcastCommands", "Broadcasting", "Commands", "Control", "HTTP", "Lifecycle", "MediaModel",
        "Membership", "Mixing",
        "Platform", "Postproduction", "Publishing", "Recording", "Session", "TestSupport", "Tokens",
      ]),
    tests(
      "HoldfastTests",
      of: [
        "Broadcasting", "FFmpeg", "Holdfast", "HoldfastTesting", "Lifecycle", "MediaModel", "MediaSources",
        "Platform", "Publishing", "Recording", "Session", "TestSupport",
      ]),
    tests("ArchitectureTests", of: []),
    tests(
      "PeerTests", of: ["MediaModel", "TestSupport"], path: "Peers",
      exclude: ["Programs"]),
    tests(
      "EndToEndTests",
      of: [
        "FFmpeg", "HoldfastProgram", "HoldfastTesting", "MP4", "Marks", "MediaModel", "MediaServer",
        "Platform", "RTMP", "Recording", "TestSupport",
      ], path: "EndToEnd"),
  ] + (Context.environment["HOLDFAST_MEASUREMENTS"] == nil ? [] : measurements)
)
