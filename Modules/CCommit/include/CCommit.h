// The commit of which this program was built.
#pragma once

/// Empty where neither .ci/build nor an archive of the sources has said it.
extern const char *ccommit(void);
