@NullMarked
package io.cairn.flush.redundancy;

import org.jspecify.annotations.NullMarked;
