/**
 * Rules for names, numbers in names, and boxes of arrays, which the API and the engine share.
 * Internal: free to change.
 */
@NullMarked
package io.cairn.internal;

import org.jspecify.annotations.NullMarked;
