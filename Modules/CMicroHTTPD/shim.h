// What Swift can't import of libmicrohttpd by itself: variadic functions, and enumerations whose names in Swift depend on
// the library's version.
#pragma once
#include <microhttpd.h>

static const enum MHD_Result cmhd_YES = MHD_YES;
static const enum MHD_Result cmhd_NO = MHD_NO;
static const enum MHD_ConnectionNotificationCode cmhd_STARTED = MHD_CONNECTION_NOTIFY_STARTED;
static const enum MHD_ResponseMemoryMode cmhd_MUST_COPY = MHD_RESPMEM_MUST_COPY;
static const enum MHD_ValueKind cmhd_HEADER = MHD_HEADER_KIND;

/// A server on a socket that listens already, which it closes at its end. It runs only within MHD_run.
static inline struct MHD_Daemon *cmhd_start(int socket, unsigned int connections, size_t memory,
                                            MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed,
                                            MHD_NotifyConnectionCallback connected,
                                            size_t (*unescape)(void *, struct MHD_Connection *, char *),
                                            void *context) {
  return MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, answer, context,                             //
                          MHD_OPTION_LISTEN_SOCKET, socket,                                          //
                          MHD_OPTION_CONNECTION_LIMIT, connections,                                  //
                          MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,                                //
                          MHD_OPTION_STRICT_FOR_CLIENT, 1,                                           //
                          MHD_OPTION_NOTIFY_COMPLETED, completed, context,                           //
                          MHD_OPTION_NOTIFY_CONNECTION, connected, context,                          //
                          MHD_OPTION_UNESCAPE_CALLBACK, unescape, context, MHD_OPTION_END);
}

/// Readable when MHD_run has something to do; -1 where there is none.
static inline int cmhd_wakeup(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline int cmhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
