/**
 * Cairn's artifacts on clusters as users have them: {@code spark-submit}, a standalone master and
 * workers, and YARN, each in processes of their own, from the jars that Maven downloaded.
 */
@NullMarked
package io.cairn.lab.submit;

import org.jspecify.annotations.NullMarked;
