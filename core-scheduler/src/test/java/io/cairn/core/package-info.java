/** Tests that look at all packages of this module together: which may see which. */
@NullMarked
package io.cairn.core;

import org.jspecify.annotations.NullMarked;
