/**
 * A canvas for commands: one set of strokes, as SVG or as an image. The content of the pictures is
 * the business of the commands; charts with axes are in {@code io.cairn.lab.study.chart}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.cli.picture;

import org.jspecify.annotations.NullMarked;
