// .ci/build writes the commit into .build; git writes it into the file beside this one when it makes an archive of the sources.
#include "CCommit.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char commit[] = {
#if __has_embed("../../.build/commit")
#embed "../../.build/commit" suffix(, )
#else
#embed "archived" suffix(, )
#endif
  0
};

const char *ccommit(void) { return commit[0] == '$' ? "" : commit; }
