package import HoldfastMediaModel

/// What a camera can be set to, as its driver lists it.
package struct CameraModes: Hashable, Sendable {
  package let formats: [CameraFormat]

  package init(formats: [CameraFormat]) {
    self.formats = formats
  }
}

/// One way in which a camera gives its pictures, and the sizes that it has in it.
package struct CameraFormat: Hashable, Sendable {
  package let code: V4L2FourCC
  /// What the driver calls it.
  package let description: String
  package let isCompressed: Bool
  /// The camera can't do it: libv4l2 makes it of something else.
  package let isEmulated: Bool
  package let sizes: [CameraSizes]

  package init(
    code: V4L2FourCC, description: String, isCompressed: Bool, isEmulated: Bool, sizes: [CameraSizes]
  ) {
    self.code = code
    self.description = description
    self.isCompressed = isCompressed
    self.isEmulated = isEmulated
    self.sizes = sizes
  }
}

/// One size or a range of them, and the frame rates that go with it.
package struct CameraSizes: Hashable, Sendable {
  package enum Extent: Hashable, Sendable {
    case one(PictureSize)
    case range(CameraSizeRange)
  }

  package enum Rates: Hashable, Sendable {
    case list([FrameRate])
    /// Anything between the two, as fine as the driver's steps are.
    case range(slowest: FrameRate, fastest: FrameRate)
    /// The driver doesn't tell.
    case unknown
  }

  package let extent: Extent
  package let rates: Rates

  package init(_ extent: Extent, rates: Rates) {
    self.extent = extent
    self.rates = rates
  }
}
