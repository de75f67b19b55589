package io.cairn.flush.durability;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/** The file system of a {@link RecordingDisk}: names as on the disk. */
final class RecordingFiles extends FileSystem {
  private final FileSystem disk = FileSystems.getDefault();
  private final RecordingDisk provider;

  RecordingFiles(RecordingDisk provider) {
    this.provider = provider;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {}

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return disk.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(provider.path(Path.of("/")));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return disk.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return disk.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return provider.path(disk.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    return disk.getPathMatcher(pattern);
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return disk.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("nothing is watched");
  }
}
