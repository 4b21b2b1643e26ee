"""The writes of the machine's USB stick, as qemu's blklogwrites keeps them."""
import struct

SECTOR = 512
DISCARD = 4


class StickLog:
    """Makes the stick's image as a power cut after one of its writes leaves it."""

    def __init__(self, path, size):
        self.path, self.size = path, size
        self.image = None
        self.written = 0
        self.place = SECTOR

    @property
    def length(self):
        """How many writes there have been."""
        with open(self.path, "rb") as log:
            place, count = SECTOR, 0
            while (found := entry(log, place)) is not None:
                place, count = found[1], count + 1
        return count

    def cut(self, image, count):
        """Writes the first `count` writes to the image; a count is never less than the one before."""
        if image != self.image:
            self.image, self.written, self.place = image, 0, SECTOR
            with open(image, "wb") as file:
                file.truncate(self.size)
        with open(self.path, "rb") as log, open(image, "r+b") as file:
            while self.written < count:
                offset, end, data = entry(log, self.place)
                log.seek(end - data)
                file.seek(offset)
                file.write(log.read(data))
                self.place = end
                self.written += 1


def entry(log, place):
    """Where the data of the entry at this place belongs, where the entry ends, and how long its data is."""
    log.seek(place)
    head = log.read(SECTOR)
    if len(head) < SECTOR:
        return None
    sector, sectors, flags = struct.unpack_from("<QQQ", head)
    data = 0 if flags & DISCARD else sectors * SECTOR
    return sector * SECTOR, place + SECTOR + data, data
