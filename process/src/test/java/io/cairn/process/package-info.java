@NullMarked
package io.cairn.process;

import org.jspecify.annotations.NullMarked;
