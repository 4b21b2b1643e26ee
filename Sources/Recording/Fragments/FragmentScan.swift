/// Reads the boxes of the uppermost level of a file that has `size` bytes, each where it lies.
struct FragmentScan {
  /// Gives a number of bytes from an offset on, or fewer at the end of the file.
  typealias Reading = (_ count: Int, _ offset: Int) throws(FragmentedFileError) -> [UInt8]

  /// What lies at an offset.
  enum Found {
    case fragment(Fragment)
    /// Another box that is all there, and where it ends.
    case box(FourCharacters, end: Int)
    /// Nothing that is whole.
    case torn
  }

  let size: Int

  /// More than the head of any recording, and than the description of any fragment, takes.
  private static let headLimit = 1 << 20
  private static let fragmentLimit = 4 << 20
  /// So many other boxes in a row that no fragment follows.
  static let mostStrangers = 64
  /// How much is searched at once.
  private static let piece = 1 << 18
  /// Enough for the description of a usual fragment, and the head of what follows.
  private static let window = 4096

  /// What stands in front of the fragments.
  func head(_ read: Reading) throws(FragmentedFileError) -> (tracks: [RecordedTrack], length: Int) {
    var offset = 0
    while offset < Self.headLimit {
      let head = try boxHead(at: offset, read)
      guard let length = head.length, length <= size - offset else { throw .foreign("its head is not whole") }
      guard offset > 0 || head.type == FourCharacters("ftyp") else { throw .foreign("it begins otherwise") }
      if head.type == FourCharacters("moov") {
        guard length <= Self.headLimit else { throw .tooLarge("a head of \(length) bytes") }
        let content = try bytes(length, at: offset, read).dropFirst(head.size)
        return (try RecordedTrack.tracks(ofMovie: BoxBytes(content)), offset + length)
      }
      offset += length
    }
    throw .foreign("its head is missing")
  }

  func next(at offset: Int, tracks: [RecordedTrack], _ read: Reading) -> Found {
    do throws(FragmentedFileError) {
      let window = try bytes(min(Self.window, size - offset), at: offset, read)
      var start = BoxBytes(window[...])
      let head = try BoxHead(&start)
      guard let length = head.length, length <= size - offset else { return .torn }
      guard head.type == FourCharacters("moof") else { return .box(head.type, end: offset + length) }
      guard length <= Self.fragmentLimit else { return .torn }
      let isInWindow = length + BoxHead.most <= window.count
      let all = isInWindow ? window : try bytes(min(length + BoxHead.most, size - offset), at: offset, read)
      var behind = BoxBytes(all[length...])
      let media = try BoxHead(&behind)
      guard media.type == FourCharacters("mdat"), let mediaLength = media.length,
        mediaLength <= size - offset - length
      else { return .torn }
      return .fragment(
        try Fragment(
          BoxBytes(all[head.size..<length]), tracks: tracks, offset: offset, length: length + mediaLength,
          mediaLength: mediaLength - media.size))
    } catch {
      return .torn
    }
  }

  /// Where the next whole fragment begins that belongs behind what is `known`, from `start` on.
  func search(from start: Int, _ known: FragmentedFile, _ read: Reading) -> Int? {
    var offset = start
    var candidates = 0
    while offset < size, let piece = try? read(Self.piece, offset), piece.count >= 8 {
      for index in 0...(piece.count - 8)
      where piece[index + 4] == 0x6D && piece[index + 5] == 0x6F && piece[index + 6] == 0x6F
        && piece[index + 7] == 0x66
      {
        if case .fragment(let fragment) = next(at: offset + index, tracks: known.tracks, read),
          known.isFollowed(by: fragment)
        {
          return fragment.offset
        }
        candidates += 1
        if candidates > Self.mostStrangers { return nil }
      }
      // A name may lie across two pieces.
      offset += piece.count - 7
      if piece.count < Self.piece { return nil }
    }
    return nil
  }

  private func boxHead(at offset: Int, _ read: Reading) throws(FragmentedFileError) -> BoxHead {
    var bytes = BoxBytes(try read(min(BoxHead.most, max(0, size - offset)), offset)[...])
    do throws(FragmentedFileError) { return try BoxHead(&bytes) } catch {
      throw .foreign("its head is not whole")
    }
  }

  private func bytes(_ count: Int, at offset: Int, _ read: Reading) throws(FragmentedFileError) -> [UInt8] {
    let bytes = try read(count, offset)
    guard bytes.count == count else { throw .damaged("it has become shorter") }
    return bytes
  }
}
