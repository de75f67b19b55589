/** Tests of guard and replay, without a framework. */
@NullMarked
package io.cairn.training;

import org.jspecify.annotations.NullMarked;
