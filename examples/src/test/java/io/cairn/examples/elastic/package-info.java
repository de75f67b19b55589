/** Tests of the elastic training. */
@NullMarked
package io.cairn.examples.elastic;

import org.jspecify.annotations.NullMarked;
