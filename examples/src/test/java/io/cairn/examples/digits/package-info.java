/** Tests of the digits example on little data and few iterations. */
@NullMarked
package io.cairn.examples.digits;

import org.jspecify.annotations.NullMarked;
