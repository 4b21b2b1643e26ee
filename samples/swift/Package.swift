// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "samples",
  dependencies: [.package(name: "holdfast", path: "../..")],
  targets: [
    .executableTarget(
      name: "gated",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastTesting", package: "holdfast"),
      ]),
    .executableTarget(name: "drawn", dependencies: [.product(name: "Holdfast", package: "holdfast")]),
    .executableTarget(
      name: "steered",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastTesting", package: "holdfast"),
      ]),
    .testTarget(
      name: "PublisherTests",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastTesting", package: "holdfast"),
      ]),
  ]
)
