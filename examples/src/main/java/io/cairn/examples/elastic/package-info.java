/**
 * An example of elasticity to the last bit, over the API alone: a data-parallel training whose
 * executors are killed, and which goes on with fewer and with more of them. Each executor is a
 * process.
 */
@NullMarked
package io.cairn.examples.elastic;

import org.jspecify.annotations.NullMarked;
