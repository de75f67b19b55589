/** File systems that record their calls, and the rules of durability for what they recorded. */
@NullMarked
package io.cairn.flush.durability;

import org.jspecify.annotations.NullMarked;
