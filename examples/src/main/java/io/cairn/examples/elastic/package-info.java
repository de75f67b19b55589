/**
 * An example of elasticity to the last bit, over the API: a data-parallel training whose executors
 * are killed, and which goes on with fewer and with more of them. Each executor is a process. They
 * exchange gradients over the engine's transport, since Cairn has no collectives.
 */
@NullMarked
package io.cairn.examples.elastic;

import org.jspecify.annotations.NullMarked;
