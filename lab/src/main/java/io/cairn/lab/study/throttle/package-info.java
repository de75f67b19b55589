/**
 * Links that are slower than memory: a device layer that makes copies take as long as a declared
 * machine's would, among processes of this one. It knows of links and rates, not of what is copied
 * over them or why; plans and their measurement live elsewhere.
 */
@NullMarked
package io.cairn.lab.study.throttle;

import org.jspecify.annotations.NullMarked;
