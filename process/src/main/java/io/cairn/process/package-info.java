/**
 * Child processes: for the tests of all modules, the demo and the laboratory. No part of Cairn that
 * runs in a training uses this package.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.process;

import org.jspecify.annotations.NullMarked;
