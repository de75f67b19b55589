/** Tests of the measurements on tiny networks; none asserts a duration. */
@NullMarked
package io.cairn.lab.bench;

import org.jspecify.annotations.NullMarked;
