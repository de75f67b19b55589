/** Tests of the encodings of chunks. */
@NullMarked
package io.cairn.flush.codec;

import org.jspecify.annotations.NullMarked;
