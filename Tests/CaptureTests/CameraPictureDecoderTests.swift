import Foundation
import HoldfastFFmpeg
import HoldfastMediaModel
import Testing

@Suite struct CameraPictureDecoderTests {
  @Test func `a red picture is decoded as red, in its own size and format`() throws {
    var decoder = try PictureDecoder.mjpeg()
    let frame = try decode(redPicture, with: &decoder)
    #expect(frame.size == PictureSize(width: 16, height: 8))
    #expect(decoder.pixelFormat == .yuv422p)
    let red = frame.withPlane(2) { bytes, _ in bytes[0] }
    #expect(red > 200)
  }

  @Test(arguments: [0, 1, 20, 400, 555])
  func `a picture with truncated headers is not decoded, but the next whole one is`(count: Int) throws {
    var decoder = try PictureDecoder.mjpeg()
    #expect(!isDecoded(redPicture.prefix(count), with: &decoder))
    #expect(isDecoded(redPicture, with: &decoder))
  }

  @Test func `a picture without its end marker is decoded, since some cameras leave it out`() throws {
    var decoder = try PictureDecoder.mjpeg()
    #expect(isDecoded(redPicture.dropLast(2), with: &decoder))
  }

  @Test func `bytes that are not a picture are not decoded`() throws {
    var decoder = try PictureDecoder.mjpeg()
    #expect(!isDecoded([UInt8](repeating: 0xA5, count: 1000)[...], with: &decoder))
  }

  @Test func `a picture outlives its decoder`() throws {
    let frame = try { () throws -> Frame in
      var decoder = try PictureDecoder.mjpeg()
      return try decode(redPicture, with: &decoder)
    }()
    #expect(frame.withPlane(0) { bytes, _ in bytes.count } >= 16 * 8)
  }

  private func decode(_ bytes: ArraySlice<UInt8>, with decoder: inout PictureDecoder) throws -> Frame {
    var frame: Frame?
    try bytes.withUnsafeBytes { frame = try decoder.decode($0) }
    guard let frame else { throw Missing() }
    return frame
  }

  private func isDecoded(_ bytes: ArraySlice<UInt8>, with decoder: inout PictureDecoder) -> Bool {
    (try? decode(bytes, with: &decoder)) != nil
  }

  private struct Missing: Error {}

  /// 16x8 pixels of red, 4:2:2.
  private let redPicture = [UInt8](
    Data(
      base64Encoded: """
        /9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcI\
        CAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwMCwsODg4RERT/xAGiAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgsBAAMB\
        AQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKCxAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS\
        0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWW\
        l5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6EQACAQIEBAMEBwUE\
        BAABAncAAQIDEQQFITEGEkFRB2FxEyIygQgUQpGhscEJIzNS8BVictEKFiQ04SXxFxgZGiYnKCkqNTY3ODk6Q0RFRkdISUpT\
        VFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV\
        1tfY2dri4+Tl5ufo6ery8/T19vf4+fr/wAARCAAIABADASIAAhIAAxIA/9oADAMBAAIRAxEAPwDi6KKK+UA/fwP/2Q==
        """) ?? Data())[...]
}
