/** Tests of the settings. */
@NullMarked
package io.cairn.spark.settings;

import org.jspecify.annotations.NullMarked;
