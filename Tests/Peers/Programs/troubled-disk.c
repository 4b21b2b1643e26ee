// Preloaded: what a program does with files below the folder TROUBLED_DISK_FOLDER goes wrong as the file TROUBLED_DISK
// says, which is shared memory: eight bytes each for what is wrong, how much is free and how much still goes in, and
// behind them what has come of it. Tests/Support/Faults/TroubledDisk.swift is the other side. What the C library does by
// itself, as for fwrite, is not seen.
#define _GNU_SOURCE
#define _FORTIFY_SOURCE 0
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, OPEN = 4, TRUNCATE = 8, ALLOCATE = 16, STATVFS = 32, NAMES = 64 };
enum { FINE, FAIL, STALL, SLOW };

struct disk {
  // From its lowest bits: eight of what is wrong, eight of whom it meets, and a number.
  int64_t trouble;
  // Negative where nothing is claimed.
  int64_t free, room;
  int64_t held, failed, written, synced, loaded;
};

static struct disk *disk;
static char folder[PATH_MAX];
static size_t length;

#define READ(field) __atomic_load_n(&disk->field, __ATOMIC_SEQ_CST)
#define ADD(field, count) __atomic_add_fetch(&disk->field, count, __ATOMIC_SEQ_CST)
// The C library's own function of that name.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void load(void) {
  const char *place = getenv("TROUBLED_DISK"), *below = getenv("TROUBLED_DISK_FOLDER");
  if (!place || !below || !realpath(below, folder)) return;
  length = strlen(folder);
  int file = REAL(open)(place, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *disk, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  disk = memory;
  ADD(loaded, 1);
}

static int is_below(const char *path) {
  return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

static int is_ours(int fd) {
  char link[64], path[PATH_MAX];
  if (!disk || fd < 0) return 0;
  char digits[16], *end = digits + sizeof digits - 1;
  *end = 0;
  for (unsigned rest = (unsigned)fd; end == digits + sizeof digits - 1 || rest; rest /= 10) *--end = (char)('0' + rest % 10);
  strcpy(link, "/proc/self/fd/");
  strcat(link, end);
  ssize_t count = readlink(link, path, sizeof path - 1);
  if (count < 0) return 0;
  path[count] = 0;
  return is_below(path);
}

// Also of a file that isn't there yet.
static int is_our_path(int base, const char *path) {
  char whole[2 * PATH_MAX], real[PATH_MAX];
  if (!disk || !path) return 0;
  if (path[0] != '/' && base != AT_FDCWD) return is_ours(base);
  if (strlen(path) >= PATH_MAX) return 0;
  strcpy(whole, path);
  if (realpath(whole, real)) return is_below(real);
  char *last = strrchr(whole, '/');
  if (last == whole) return is_below("/");
  if (last) *last = 0;
  return realpath(last ? whole : ".", real) && is_below(real);
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void rest(int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &time) == EINTR) {}
}

// Returns when the call may go on, with what becomes of it: 0, or an error.
static int meet(int operation, size_t *count) {
  int is_held = 0, code = 0;
  for (;;) {
    int64_t trouble = READ(trouble), number = trouble >> 16;
    if (!(trouble >> 8 & operation)) break;
    if ((trouble & 255) == STALL && (!number || milliseconds() < number)) {
      if (!is_held) ADD(held, 1);
      is_held = 1;
      rest(2000000);
      continue;
    }
    if ((trouble & 255) == SLOW && count && number) rest((int64_t)((double)*count / (double)number * 1e9));
    if ((trouble & 255) != FAIL) break;
    int64_t room = READ(room);
    if (!count || room <= 0) {
      code = (int)number;
    } else {
      if ((int64_t)*count > room) *count = (size_t)room;
      ADD(room, -(int64_t)*count);
    }
    break;
  }
  if (is_held) ADD(held, -1);
  if (code) ADD(failed, 1);
  return code;
}

#define MEET(operation, count) \
  do { \
    int code = meet(operation, count); \
    if (code) { errno = code; return -1; } \
  } while (0)

static ssize_t counted(ssize_t result) {
  if (result > 0) ADD(written, result);
  return result;
}

#define WRITES(name, offset_type) \
  ssize_t name(int fd, const void *bytes, size_t count, offset_type offset) { \
    if (!is_ours(fd)) return REAL(name)(fd, bytes, count, offset); \
    MEET(WRITE, &count); \
    return counted(REAL(name)(fd, bytes, count, offset)); \
  }
WRITES(pwrite, off_t)
WRITES(pwrite64, off64_t)

ssize_t write(int fd, const void *bytes, size_t count) {
  if (!is_ours(fd)) return REAL(write)(fd, bytes, count);
  MEET(WRITE, &count);
  return counted(REAL(write)(fd, bytes, count));
}

// How many of the parts hold `count` bytes, of which the last one is cut.
static int cut(struct iovec *parts, int parts_count, size_t count) {
  int used = 0;
  while (used < parts_count && count > 0) {
    if (parts[used].iov_len > count) parts[used].iov_len = count;
    count -= parts[used++].iov_len;
  }
  return used;
}

#define WRITES_PARTS(name, parameters, arguments) \
  ssize_t name parameters { \
    if (!is_ours(fd) || parts_count < 1 || parts_count > 1024) return REAL(name) arguments; \
    struct iovec own[1024]; \
    memcpy(own, parts, sizeof *own * (size_t)parts_count); \
    parts = own; \
    size_t count = 0; \
    for (int part = 0; part < parts_count; part++) count += parts[part].iov_len; \
    MEET(WRITE, &count); \
    parts_count = cut(own, parts_count, count); \
    return counted(REAL(name) arguments); \
  }
WRITES_PARTS(writev, (int fd, const struct iovec *parts, int parts_count), (fd, parts, parts_count))
WRITES_PARTS(pwritev, (int fd, const struct iovec *parts, int parts_count, off_t at), (fd, parts, parts_count, at))
WRITES_PARTS(pwritev64, (int fd, const struct iovec *parts, int parts_count, off64_t at), (fd, parts, parts_count, at))
WRITES_PARTS(pwritev2, (int fd, const struct iovec *parts, int parts_count, off_t at, int flags),
             (fd, parts, parts_count, at, flags))
WRITES_PARTS(pwritev64v2, (int fd, const struct iovec *parts, int parts_count, off64_t at, int flags),
             (fd, parts, parts_count, at, flags))

#define SYNCS(name) \
  int name(int fd) { \
    if (!is_ours(fd)) return REAL(name)(fd); \
    MEET(SYNC, NULL); \
    ADD(synced, 1); \
    return REAL(name)(fd); \
  }
SYNCS(fsync)
SYNCS(fdatasync)
SYNCS(syncfs)

int sync_file_range(int fd, off64_t offset, off64_t count, unsigned flags) {
  if (is_ours(fd)) MEET(SYNC, NULL);
  return REAL(sync_file_range)(fd, offset, count, flags);
}

#define TRUNCATES(name, offset_type) \
  int name(int fd, offset_type size) { \
    if (is_ours(fd)) MEET(TRUNCATE, NULL); \
    return REAL(name)(fd, size); \
  }
TRUNCATES(ftruncate, off_t)
TRUNCATES(ftruncate64, off64_t)

#define ALLOCATES(name, offset_type) \
  int name(int fd, int mode, offset_type offset, offset_type size) { \
    if (is_ours(fd)) MEET(ALLOCATE, NULL); \
    return REAL(name)(fd, mode, offset, size); \
  }
ALLOCATES(fallocate, off_t)
ALLOCATES(fallocate64, off64_t)

// These two return the error.
#define ALLOCATES_BY_CODE(name, offset_type) \
  int name(int fd, offset_type offset, offset_type size) { \
    int code = is_ours(fd) ? meet(ALLOCATE, NULL) : 0; \
    return code ? code : REAL(name)(fd, offset, size); \
  }
ALLOCATES_BY_CODE(posix_fallocate, off_t)
ALLOCATES_BY_CODE(posix_fallocate64, off64_t)

// Only what could change the disk.
static int is_for_writing(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
}

#define MODE(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list list; \
    va_start(list, flags); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  }

#define OPENS(name) \
  int name(const char *path, int flags, ...) { \
    MODE(flags) \
    if (is_for_writing(flags) && is_our_path(AT_FDCWD, path)) MEET(OPEN, NULL); \
    return REAL(name)(path, flags, mode); \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name) \
  int name(int base, const char *path, int flags, ...) { \
    MODE(flags) \
    if (is_for_writing(flags) && is_our_path(base, path)) MEET(OPEN, NULL); \
    return REAL(name)(base, path, flags, mode); \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

// As programs call them that were compiled with checks.
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
int __openat_2(int base, const char *path, int flags) { return openat(base, path, flags); }
int __openat64_2(int base, const char *path, int flags) { return openat64(base, path, flags); }

int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open64(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

#define MEASURES(name, kind, type, is_it_ours) \
  int name(kind place, struct type *status) { \
    int is_it = is_it_ours; \
    if (is_it) MEET(STATVFS, NULL); \
    int result = REAL(name)(place, status); \
    int64_t available = is_it ? READ(free) : -1; \
    if (result == 0 && available >= 0) { \
      status->f_blocks *= status->f_frsize; \
      status->f_frsize = status->f_bsize = 1; \
      status->f_bavail = status->f_bfree = (uint64_t)available; \
      if (status->f_blocks < (uint64_t)available) status->f_blocks = (uint64_t)available; \
    } \
    return result; \
  }
MEASURES(statvfs, const char *, statvfs, is_our_path(AT_FDCWD, place))
MEASURES(statvfs64, const char *, statvfs64, is_our_path(AT_FDCWD, place))
MEASURES(fstatvfs, int, statvfs, is_ours(place))
MEASURES(fstatvfs64, int, statvfs64, is_ours(place))

int rename(const char *from, const char *to) {
  if (is_our_path(AT_FDCWD, to)) MEET(NAMES, NULL);
  return REAL(rename)(from, to);
}

int renameat(int base, const char *from, int target, const char *to) {
  if (is_our_path(target, to)) MEET(NAMES, NULL);
  return REAL(renameat)(base, from, target, to);
}

int linkat(int base, const char *from, int target, const char *to, int flags) {
  if (is_our_path(target, to)) MEET(NAMES, NULL);
  return REAL(linkat)(base, from, target, to, flags);
}

int link(const char *from, const char *to) {
  if (is_our_path(AT_FDCWD, to)) MEET(NAMES, NULL);
  return REAL(link)(from, to);
}

int unlink(const char *path) {
  if (is_our_path(AT_FDCWD, path)) MEET(NAMES, NULL);
  return REAL(unlink)(path);
}

int unlinkat(int base, const char *path, int flags) {
  if (is_our_path(base, path)) MEET(NAMES, NULL);
  return REAL(unlinkat)(base, path, flags);
}

int mkdir(const char *path, mode_t mode) {
  if (is_our_path(AT_FDCWD, path)) MEET(NAMES, NULL);
  return REAL(mkdir)(path, mode);
}
