/**
 * Holders that share device memory, each in a process of its own that is stopped and killed: what
 * becomes of the bytes. The desk is in the test's process, where the driver's would be.
 */
@NullMarked
package io.cairn.engine.sharing.holders;

import org.jspecify.annotations.NullMarked;
