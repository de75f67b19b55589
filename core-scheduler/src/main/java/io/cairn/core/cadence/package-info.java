/**
 * The cadence of a group: which iteration goes to which level. The coordinator of the group decides
 * it and sends it to every rank with the epoch.
 *
 * <p>A {@link io.cairn.core.cadence.CadencePolicy} has fixed periods or lets {@link
 * io.cairn.core.cadence.AdaptiveCadence} decide from measurements. {@link
 * io.cairn.core.cadence.CadenceBallot} at the coordinator and {@link
 * io.cairn.core.cadence.FollowedCadence} at each rank put a new {@link
 * io.cairn.core.cadence.CadencePlan} into force at an iteration that no rank has reached.
 *
 * <p>The coordinator itself lives in {@code io.cairn.core.protocol}, capture and flush of due
 * iterations in {@code io.cairn.engine}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.cadence;

import org.jspecify.annotations.NullMarked;
