/** Tests of shared device memory that need no whole process; those are beside the runtime's. */
@NullMarked
package io.cairn.engine.sharing;

import org.jspecify.annotations.NullMarked;
