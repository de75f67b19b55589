/** Rules that hold for all packages of the module. */
@NullMarked
package io.cairn.cache;

import org.jspecify.annotations.NullMarked;
