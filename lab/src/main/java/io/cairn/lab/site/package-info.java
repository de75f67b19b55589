/** The pages of the project as a site, and the check of their links. */
@NullMarked
package io.cairn.lab.site;

import org.jspecify.annotations.NullMarked;
