/** Tests of the command line: each command over stores in temporary directories. */
@NullMarked
package io.cairn.cli;

import org.jspecify.annotations.NullMarked;
