// Preloaded: answers for host names that end in .test, out of the file named by FAKE_NAMES ("name address" a line).
// A name that isn't in the file can't be resolved for now. Each look-up is a line in that file's name with ".asked".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int look_up(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static int is_ours(const char *name) {
  size_t length = name ? strlen(name) : 0;
  return length > 5 && !strcmp(name + length - 5, ".test");
}

static void note(const char *path, const char *name) {
  char asked[4096];
  snprintf(asked, sizeof asked, "%s.asked", path);
  FILE *file = fopen(asked, "ae");
  if (!file) return;
  fprintf(file, "%s\n", name);
  fclose(file);
}

static int address_of(const char *path, const char *name, char address[64]) {
  char line[512], known[256];
  int found = 0;
  FILE *file = fopen(path, "re");
  while (file && !found && fgets(line, sizeof line, file))
    found = sscanf(line, "%255s %63s", known, address) == 2 && !strcmp(known, name);
  if (file) fclose(file);
  return found;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  look_up *real = (look_up *)dlsym(RTLD_NEXT, "getaddrinfo");
  const char *path = getenv("FAKE_NAMES");
  char address[64];
  if (!path || !is_ours(name)) return real(name, service, hints, result);
  note(path, name);
  return address_of(path, name, address) ? real(address, service, hints, result) : EAI_AGAIN;
}
