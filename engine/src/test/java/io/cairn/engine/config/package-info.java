/** Tests of the settings. */
@NullMarked
package io.cairn.engine.config;

import org.jspecify.annotations.NullMarked;
