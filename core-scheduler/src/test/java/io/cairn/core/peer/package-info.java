/** Tests of {@code io.cairn.core.peer}: the contract of a transport, and a fake that keeps it. */
@NullMarked
package io.cairn.core.peer;

import org.jspecify.annotations.NullMarked;
