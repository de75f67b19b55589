/** Tests of the plugin on real executor processes. */
@NullMarked
package io.cairn.spark;

import org.jspecify.annotations.NullMarked;
