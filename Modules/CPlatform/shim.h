// What Swift can't import from the C library directly.
#pragma once
#include <limits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/inet_diag.h>
#include <linux/landlock.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <resolv.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int pthread_setname_np(pthread_t thread, const char *name);
int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
int fallocate(int fd, int mode, off_t offset, off_t length);

// Without _GNU_SOURCE the header does not declare it.
static const int cp_O_PATH = 010000000;
static const int cp_EFD_NONBLOCK = EFD_NONBLOCK;
static const int cp_EFD_CLOEXEC = EFD_CLOEXEC;
static const int cp_TFD_NONBLOCK_CLOEXEC = TFD_NONBLOCK | TFD_CLOEXEC;
static const int cp_SFD_NONBLOCK = SFD_NONBLOCK;
static const int cp_SFD_CLOEXEC = SFD_CLOEXEC;

static const int cp_SOCK_STREAM = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
static const int cp_SOCK_RAW = SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC;
static const int cp_SOCK_DGRAM = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
static const int cp_MSG_NOSIGNAL = MSG_NOSIGNAL;
static const uint32_t cp_IFF_UP_RUNNING = IFF_UP | IFF_RUNNING;
static const int cp_NETLINK_SOCK_DIAG = NETLINK_SOCK_DIAG;
static const int cp_RLIMIT_NOFILE = RLIMIT_NOFILE;
static const int cp_SHUT_WR = SHUT_WR;
static const int cp_IPPROTO_TCP = IPPROTO_TCP;

// glibc: the name exists but has no address.
static const int cp_EAI_NODATA = -5;

static inline int cp_errno(void) { return errno; }
static inline int cp_open_for_writing(const char *path, int flags) { return open(path, flags | O_CLOEXEC, 0644); }
static inline int cp_openat(int folder, const char *name, int flags, mode_t permissions) {
  return openat(folder, name, flags | O_CLOEXEC, permissions);
}
static inline int cp_is_closed(int fd) { return fcntl(fd, F_GETFD) == -1 && errno == EBADF; }
static inline int cp_open_null(void) { return open("/dev/null", O_RDWR); }
// Sets the pipe's capacity to at least `size` unread bytes, if the system allows it.
static inline int cp_enlarge_pipe(int fd, int size) { return fcntl(fd, 1031 /* F_SETPIPE_SZ */, size); }
static inline int cp_set_nonblocking(int fd) { return fcntl(fd, F_SETFL, O_NONBLOCK); }

// The kernel grants a read lease only if no process has the file open for writing. The lease is released at once; if
// another process opens the file meanwhile, we receive SIGURG, which is ignored by default.
static inline int cp_has_writer(int fd) {
  const int set_lease = 1024, set_signal = 10;
  fcntl(fd, set_signal, SIGURG);
  if (fcntl(fd, set_lease, F_RDLCK) == 0) {
    fcntl(fd, set_lease, F_UNLCK);
    return 0;
  }
  return errno == EAGAIN;
}
static inline int cp_is_on_fat(int fd) {
  struct statfs status;
  return fstatfs(fd, &status) == 0 && status.f_type == 0x4d44 /* MSDOS_SUPER_MAGIC */;
}
// Allocates disk space without changing the file's size.
static inline int cp_allocate(int fd, off_t length) { return fallocate(fd, 1 /* FALLOC_FL_KEEP_SIZE */, 0, length); }
static inline int cp_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }
static inline int cp_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
static inline int cp_window_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}
static inline int cp_cond_init_monotonic(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  int error = pthread_condattr_init(&attributes);
  if (error) return error;
  error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (!error) error = pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return error;
}
// Bytes that the peer's system has not acknowledged; -1 without a connection.
static inline int cp_unacknowledged_bytes(int socket) {
  int count = 0;
  return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -1;
}
// Unacknowledged bytes that have never been sent; -1 without a connection.
static inline int cp_not_sent_bytes(int socket) {
  int count = 0;
  return ioctl(socket, SIOCOUTQNSD, &count) == 0 ? count : -1;
}
// Makes this thread's name lookups retry after one second instead of five, so that a returning name server is noticed.
static inline void cp_resolve_impatiently(void) {
  if (res_init() != 0) return;
  if (_res.retrans > 1) _res.retrans = 1;
  if (_res.retry < 3) _res.retry = 3;
}
// Landlock, for which the C library has no functions. The version of the kernel's interface; negative without it.
static inline int cp_landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}
// A set of rules that forbids the accesses in `handled` wherever no rule allows them.
static inline int cp_landlock_ruleset(uint64_t handled) {
  struct landlock_ruleset_attr attribute = {.handled_access_fs = handled};
  return (int)syscall(SYS_landlock_create_ruleset, &attribute, sizeof attribute.handled_access_fs, 0);
}
static inline int cp_landlock_allow(int ruleset, int place, uint64_t accesses) {
  struct landlock_path_beneath_attr rule = {.allowed_access = accesses, .parent_fd = place};
  return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}
// For this thread and the processes that it starts, for good.
static inline int cp_landlock_restrict(int ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}
static inline void cp_set_blocking(int fd) { fcntl(fd, F_SETFL, 0); }

// The bytes of an address for the kernel's socket query; an IPv4-mapped IPv6 address counts as IPv4.
static inline int cp_diag_address(const struct sockaddr *address, __be32 words[4], __be16 *port) {
  memset(words, 0, 16);
  if (address->sa_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)address;
    memcpy(words, &in->sin_addr, 4);
    *port = in->sin_port;
    return AF_INET;
  }
  const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;
  *port = in6->sin6_port;
  if (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) {
    memcpy(words, in6->sin6_addr.s6_addr + 12, 4);
    return AF_INET;
  }
  memcpy(words, &in6->sin6_addr, 16);
  return AF_INET6;
}

// The user ID that owns the TCP socket at `address` connected to `other`, queried over `netlink`; -1 if there is none.
// A socket already closed by its process has no inode and reports root, whoever owned it.
static inline int64_t cp_socket_owner(int netlink, const struct sockaddr *address, const struct sockaddr *other) {
  struct {
    struct nlmsghdr header;
    struct inet_diag_req_v2 body;
  } request;
  static __thread uint32_t number;
  memset(&request, 0, sizeof request);
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.header.nlmsg_seq = ++number;
  int family = cp_diag_address(address, request.body.id.idiag_src, &request.body.id.idiag_sport);
  if (cp_diag_address(other, request.body.id.idiag_dst, &request.body.id.idiag_dport) != family) return -1;
  request.body.sdiag_family = (uint8_t)family;
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_states = ~0u;
  request.body.id.idiag_cookie[0] = request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (send(netlink, &request, sizeof request, 0) != (ssize_t)sizeof request) return -1;
  union {
    struct nlmsghdr header;
    char bytes[4096];
  } answer;
  for (;;) {
    ssize_t count = recv(netlink, &answer, sizeof answer, 0);
    if (count < (ssize_t)NLMSG_LENGTH(0)) return -1;
    // The answer to an abandoned query.
    if (answer.header.nlmsg_seq != number) continue;
    if (answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
        count < (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg)))
      return -1;
    const struct inet_diag_msg *found = (const struct inet_diag_msg *)NLMSG_DATA(&answer.header);
    const struct inet_diag_sockid *id = &found->id;
    // An IPv6 socket connected to an IPv4 address holds that address in the last word of its own.
    int skip = family == AF_INET && found->idiag_family == AF_INET6 ? 3 : 0;
    if (id->idiag_sport != request.body.id.idiag_sport || id->idiag_dport != request.body.id.idiag_dport ||
        memcmp(id->idiag_src + skip, request.body.id.idiag_src, family == AF_INET ? 4 : 16) != 0 ||
        memcmp(id->idiag_dst + skip, request.body.id.idiag_dst, family == AF_INET ? 4 : 16) != 0)
      return -1;
    return found->idiag_inode == 0 || found->idiag_state == TCP_SYN_SENT ? -1 : (int64_t)found->idiag_uid;
  }
}
