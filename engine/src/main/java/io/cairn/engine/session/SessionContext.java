package io.cairn.engine.session;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.engine.config.RegionSettings;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.events.GoodputBook;
import io.cairn.engine.events.Observers;
import io.cairn.engine.events.Watchdog;
import io.cairn.engine.promotion.LifeSign;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.sharing.Sharing;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The parts of a process that all its sessions use.
 *
 * @param lifeSigns finds the accounts of time that outlive their process
 * @param start which checkpoints count
 * @param regions how the configuration treats single regions
 * @param unknownRegions those that it names, and a rank did not protect; thread-safe
 * @param planners makes planners of the restores
 * @param waits how training threads wait
 * @param interruption throws on the training thread if its work was cancelled
 * @param sharing of device memory with other processes; empty until it begins
 * @param completer ends captures on devices that copy later, in order
 * @param watchdog reports work that hangs
 * @param goodput the accounts of the ranks' time
 * @param storePatience how long a restore waits for a store that fails
 * @param joinTimeout how long a rank waits for a coordinator that does not answer
 * @param closing whether the process closes, so that no join is waited for
 * @param captureWait how long a capture waits for room
 * @param atDevice the copies in the cache
 * @param sessions the open ones, and those that are about to join; thread-safe
 * @param nanoTime the clock, as {@link System#nanoTime}
 */
public record SessionContext(
    ChunkCache cache,
    Promotion promotion,
    LifeSign.Opening lifeSigns,
    Start start,
    RegionSettings regions,
    Set<String> unknownRegions,
    Planners planners,
    Coordination coordination,
    Waits waits,
    Runnable interruption,
    Executor completer,
    Observers observers,
    Watchdog watchdog,
    GoodputBook goodput,
    Duration storePatience,
    Duration joinTimeout,
    BooleanSupplier closing,
    Duration captureWait,
    Duration closeTimeout,
    DeviceCopies atDevice,
    Set<CheckpointSession> sessions,
    Supplier<Optional<Sharing>> sharing,
    LongSupplier nanoTime) {}
