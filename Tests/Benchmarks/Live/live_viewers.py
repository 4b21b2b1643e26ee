"""Viewers of the live stream without a browser: they take the bytes, and count what they are told."""
import selectors
import socket
import threading
import time

SKIPPED = b"urn:holdfast:live\0skipped\0"


class Viewers:
    """`count` that read all, and one that reads `slow` bytes a second, each on one thread, until they are closed."""

    def __init__(self, port, count, slow):
        self.port, self.bytes, self.slow_bytes, self.skips, self.lost = port, 0, 0, 0, 0
        self.is_over = False
        self.fast = [self._open() for _ in range(count)]
        self.threads = [threading.Thread(target=self._read_all, daemon=True)]
        if slow:
            self.slow_socket = self._open(4096)
            self.threads.append(threading.Thread(target=self._read_slowly, args=(slow,), daemon=True))
        for thread in self.threads:
            thread.start()

    def _open(self, buffer=None):
        one = socket.socket()
        if buffer:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        one.connect(("127.0.0.1", self.port))
        one.sendall(b"GET /v1/live.mp4 HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        return one

    def _read_all(self):
        selector = selectors.DefaultSelector()
        for one in self.fast:
            one.setblocking(False)
            selector.register(one, selectors.EVENT_READ)
        while not self.is_over:
            for key, _ in selector.select(0.1):
                piece = key.fileobj.recv(1 << 18)
                self.bytes += len(piece)
                if not piece:
                    selector.unregister(key.fileobj)
                    self.lost += 1

    def _read_slowly(self, rate):
        began, rest = time.monotonic(), b""
        while not self.is_over:
            piece = self.slow_socket.recv(1024)
            if not piece:
                self.lost += 1
                return
            self.slow_bytes += len(piece)
            rest = rest[-len(SKIPPED) + 1:] + piece
            self.skips += rest.count(SKIPPED)
            time.sleep(max(0, began + self.slow_bytes / rate - time.monotonic()))

    def close(self):
        self.is_over = True
        for thread in self.threads:
            thread.join(5)
        for one in self.fast:
            one.close()
