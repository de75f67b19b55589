/**
 * The states of a program by step, kept until the program reads them back. They lie in a pool of
 * their own on a device, and below it on shelves: memory of peers and of the host, segment files,
 * and objects of a store. Schedules that run steps again belong to {@code
 * io.cairn.adjoint.schedule}, the driver of a program to {@code io.cairn.adjoint}.
 *
 * <p>The program's thread copies states in and out. For each shelf, one thread writes states down,
 * and another brings them up before they are read. All meet in the {@link
 * io.cairn.adjoint.history.Ledger}, which holds no lock while bytes move.
 *
 * <p>Histories lend each other memory as their lease books decide ({@code io.cairn.core.sharing}):
 * within a process by {@link io.cairn.adjoint.history.HistoryPeers}, and among the processes of a
 * machine by {@link io.cairn.adjoint.history.MachinePeers}.
 */
@NullMarked
package io.cairn.adjoint.history;

import org.jspecify.annotations.NullMarked;
