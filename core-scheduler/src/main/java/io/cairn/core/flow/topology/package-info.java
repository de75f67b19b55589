/**
 * Topologies of existing machines: {@link io.cairn.core.flow.topology.Presets} by name, and {@link
 * io.cairn.core.flow.topology.NvidiaSmiTopology} from the output of {@code nvidia-smi topo -m}.
 *
 * <p>Rates are decimal bytes per second in one direction. NVLink rates are the vendor's peaks, host
 * rates those of pinned copies: see {@link io.cairn.core.flow.topology.LinkRates}. The package runs
 * no command, reads no file and measures nothing.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.flow.topology;

import org.jspecify.annotations.NullMarked;
