#ifndef CAIRN_ENTRIES_H
#define CAIRN_ENTRIES_H

/* A kernel with the addresses of its arguments, as a launch passes them. */
typedef void (*cairn_entry)(void **arguments);

/* The kernel of a name, or 0. */
cairn_entry cairn_entry_named(const char *name);

/* The threads of a block that the kernels are written for. */
unsigned cairn_threads(void);

#endif
