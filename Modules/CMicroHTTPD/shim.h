// What Swift can't import from libmicrohttpd directly: variadic functions, and enumerations whose Swift names depend on
// the library's version.
#pragma once
#include <limits.h>
#include <microhttpd.h>

static const enum MHD_Result cmhd_YES = MHD_YES;
static const enum MHD_Result cmhd_NO = MHD_NO;
static const enum MHD_ConnectionNotificationCode cmhd_STARTED = MHD_CONNECTION_NOTIFY_STARTED;
static const enum MHD_ResponseMemoryMode cmhd_MUST_COPY = MHD_RESPMEM_MUST_COPY;
static const enum MHD_ValueKind cmhd_HEADER = MHD_HEADER_KIND;
static const uint64_t cmhd_SIZE_UNKNOWN = MHD_SIZE_UNKNOWN;
static const ssize_t cmhd_END_OF_STREAM = MHD_CONTENT_READER_END_OF_STREAM;

/// A server's callbacks; each receives `context`. `accepts` may be NULL.
struct cmhd_callbacks {
  MHD_AccessHandlerCallback answer;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connected;
  MHD_AcceptPolicyCallback accepts;
  size_t (*unescape)(void *, struct MHD_Connection *, char *);
  void *(*asked)(void *, const char *, struct MHD_Connection *);
  void *context;
};

/// TLS 1.2 and 1.3 with authenticated ciphers and keys of elliptic curves: neither RSA's key exchange, which a stolen key
/// would decrypt later, nor CBC, nor the large prime fields, with which a client makes the server work for nothing.
static const char cmhd_priorities[] =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:+AES-256-GCM:"
    "+CHACHA20-POLY1305:+AES-128-GCM:-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1";

/// Starts a server on a listening socket, which it closes when it stops. It runs only within MHD_run. With a certificate
/// and its key (in PEM, kept alive by the caller as long as the server) it uses TLS.
static inline struct MHD_Daemon *cmhd_start(int socket, unsigned int connections, size_t memory,
                                            const char *certificate, const char *key,
                                            const struct cmhd_callbacks *use) {
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)cmhd_priorities},
      {MHD_OPTION_END, 0, NULL},
  };
  struct MHD_OptionItem nothing[] = {{MHD_OPTION_END, 0, NULL}};
  unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (certificate ? MHD_USE_TLS : 0);
  return MHD_start_daemon(flags, 0, use->accepts, use->context, use->answer, use->context, //
                          MHD_OPTION_LISTEN_SOCKET, socket,                                //
                          MHD_OPTION_CONNECTION_LIMIT, connections,                        //
                          MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,                      //
                          MHD_OPTION_STRICT_FOR_CLIENT, 1,                                 //
                          MHD_OPTION_NOTIFY_COMPLETED, use->completed, use->context,       //
                          MHD_OPTION_NOTIFY_CONNECTION, use->connected, use->context,      //
                          MHD_OPTION_UNESCAPE_CALLBACK, use->unescape, use->context,       //
                          MHD_OPTION_URI_LOG_CALLBACK, use->asked, use->context,           //
                          MHD_OPTION_ARRAY, certificate ? tls : nothing, MHD_OPTION_END);
}

static inline int cmhd_speaks_tls(void) { return MHD_is_feature_supported(MHD_FEATURE_TLS) == MHD_YES; }

/// A descriptor that is readable when MHD_run has work to do; -1 if unavailable.
static inline int cmhd_wakeup(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline int cmhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
