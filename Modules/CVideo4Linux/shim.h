// What Swift can't import from V4L2 directly: ioctl numbers, a variadic ioctl, MAP_FAILED.
#pragma once
#include <limits.h>
#include <errno.h>
#include <fcntl.h>
#include <libv4l2.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static const unsigned long cv4l_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long cv4l_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long cv4l_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long cv4l_VIDIOC_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long cv4l_VIDIOC_TRY_FMT = VIDIOC_TRY_FMT;
static const unsigned long cv4l_VIDIOC_S_FMT = VIDIOC_S_FMT;
static const unsigned long cv4l_VIDIOC_S_PARM = VIDIOC_S_PARM;
static const unsigned long cv4l_VIDIOC_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long cv4l_VIDIOC_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long cv4l_VIDIOC_QBUF = VIDIOC_QBUF;
static const unsigned long cv4l_VIDIOC_DQBUF = VIDIOC_DQBUF;
static const unsigned long cv4l_VIDIOC_STREAMON = VIDIOC_STREAMON;
static const unsigned long cv4l_VIDIOC_STREAMOFF = VIDIOC_STREAMOFF;

/// v4l2_open in two steps, as a libv4l2 plugin writes to standard error about files that are not video devices.
static inline int cv4l_open(const char *path) {
  int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -1;
  struct v4l2_capability capability;
  if (ioctl(fd, VIDIOC_QUERYCAP, &capability) == 0 && v4l2_fd_open(fd, 0) == fd) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}
static inline int cv4l_ioctl(int fd, unsigned long request, void *argument) {
  return v4l2_ioctl(fd, request, argument);
}
static inline void *cv4l_mmap(size_t length, int fd, int64_t offset) {
  void *p = v4l2_mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  return p == MAP_FAILED ? NULL : p;
}

/// Keeps libv4l2 from writing to standard error; every error is also returned as a status, which we report.
static inline void cv4l_silence(void) {
  if (!v4l2_log_file && !getenv("LIBV4L2_LOG_FILENAME")) v4l2_log_file = fopen("/dev/null", "we");
}
