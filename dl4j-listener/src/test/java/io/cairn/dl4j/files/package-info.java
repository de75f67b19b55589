/** Tests of networks in files of other formats. */
@NullMarked
package io.cairn.dl4j.files;

import org.jspecify.annotations.NullMarked;
