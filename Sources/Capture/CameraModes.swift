public import MediaModel

/// What a camera can be set to, as its driver lists it.
public struct CameraModes: Hashable, Sendable {
  public let formats: [CameraFormat]

  public init(formats: [CameraFormat]) {
    self.formats = formats
  }
}

/// One way in which a camera gives its pictures, and the sizes that it has in it.
public struct CameraFormat: Hashable, Sendable {
  public let code: V4L2FourCC
  /// What the driver calls it.
  public let description: String
  public let isCompressed: Bool
  /// The camera can't do it: libv4l2 makes it of something else.
  public let isEmulated: Bool
  public let sizes: [CameraSizes]

  public init(
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
public struct CameraSizes: Hashable, Sendable {
  public enum Extent: Hashable, Sendable {
    case one(PictureSize)
    case range(CameraSizeRange)
  }

  public enum Rates: Hashable, Sendable {
    case list([FrameRate])
    /// Anything between the two, as fine as the driver's steps are.
    case range(slowest: FrameRate, fastest: FrameRate)
    /// The driver doesn't tell.
    case unknown
  }

  public let extent: Extent
  public let rates: Rates

  public init(_ extent: Extent, rates: Rates) {
    self.extent = extent
    self.rates = rates
  }
}
