@NullMarked
package io.cairn.cache.history;

import org.jspecify.annotations.NullMarked;
