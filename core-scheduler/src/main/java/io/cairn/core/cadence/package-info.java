/**
 * A group's decision which iteration goes to which level. Decided once per group by its coordinator
 * and handed to every rank with the epoch; pure functions of the iteration. What happens to an
 * iteration that is due is the engine's.
 *
 * <p>{@link io.cairn.core.cadence.FixedCadence} is what groups run with. {@link
 * io.cairn.core.cadence.AdaptiveCadence} decides from measurements; how its plans reach all ranks
 * in time is {@link io.cairn.core.cadence.CadenceBallot} and {@link
 * io.cairn.core.cadence.FollowedCadence}. Coordinators do not carry them yet.
 */
@NullMarked
package io.cairn.core.cadence;

import org.jspecify.annotations.NullMarked;
