/**
 * How work waits on its way down the levels: stages bounded in bytes, one thread each, that refuse
 * instead of growing. What the work is, and what becomes of a checkpoint that was refused, is the
 * engine's.
 */
@NullMarked
package io.cairn.flush.pipeline;

import org.jspecify.annotations.NullMarked;
