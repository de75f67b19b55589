/** Tests of {@code io.cairn.flush.commit}. */
@NullMarked
package io.cairn.flush.commit;

import org.jspecify.annotations.NullMarked;
