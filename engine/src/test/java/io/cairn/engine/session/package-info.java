/** A rank's session, part by part. */
@NullMarked
package io.cairn.engine.session;

import org.jspecify.annotations.NullMarked;
