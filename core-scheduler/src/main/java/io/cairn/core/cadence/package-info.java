/**
 * A group's decision which iteration goes to which level. Decided once per group by its coordinator
 * and handed to every rank with the epoch; pure functions of the iteration. What happens to an
 * iteration that is due is the engine's.
 */
@NullMarked
package io.cairn.core.cadence;

import org.jspecify.annotations.NullMarked;
