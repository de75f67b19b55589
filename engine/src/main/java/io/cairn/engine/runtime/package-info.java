/**
 * One process's checkpointing: {@link io.cairn.engine.runtime.CairnEngine}, and the opening and
 * closing of its devices, stores, stages and threads. Runs without Spark; the plugin replaces only
 * how messages travel. Each step of the work lives in a package of its own beside this one.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.runtime;

import org.jspecify.annotations.NullMarked;
