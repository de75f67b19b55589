/**
 * Topologies of machines that exist: {@link io.cairn.core.flow.topology.Presets} by name, and
 * {@link io.cairn.core.flow.topology.NvidiaSmiTopology} from what {@code nvidia-smi topo -m} prints
 * on a machine at hand.
 *
 * <p>Rates are decimal bytes per second and one direction. NVLink rates are the vendor's peaks,
 * host rates what pinned copies reach: see {@link io.cairn.core.flow.topology.LinkRates}. Nothing
 * here runs a command, reads a file or measures.
 */
@NullMarked
package io.cairn.core.flow.topology;

import org.jspecify.annotations.NullMarked;
