package io.cairn.flush.durability;

import io.cairn.flush.durability.FileCall.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** The local disk, through paths whose changes are recorded. */
final class RecordingDisk extends FileSystemProvider {
  private final FileSystemProvider disk = FileSystems.getDefault().provider();
  private final FileSystem files = new RecordingFiles(this);
  private final FileCalls calls = new FileCalls();

  FileCalls calls() {
    return calls;
  }

  /** A path of the disk, as one of this one. */
  Path path(Path onDisk) {
    return new RecordedPath(files, onDisk);
  }

  private static Path real(Path path) {
    return ((RecordedPath) path).real();
  }

  @Override
  public String getScheme() {
    return "recorded";
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    FileChannel channel = disk.newFileChannel(real(path), options, attributes);
    if (options.contains(StandardOpenOption.CREATE_NEW)) {
      calls.add(Kind.CREATE, path.toString());
    }
    return new RecordingChannel(channel, calls, path.toString());
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
    disk.createDirectory(real(directory), attributes);
    calls.add(Kind.CREATE_DIRECTORY, directory.toString());
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    disk.createLink(real(link), real(existing));
    calls.addName(existing.toString(), link.toString());
  }

  @Override
  public void delete(Path path) throws IOException {
    disk.delete(real(path));
    calls.add(Kind.REMOVE, path.toString());
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    disk.move(real(source), real(target), options);
    calls.addName(source.toString(), target.toString());
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    DirectoryStream<Path> real =
        disk.newDirectoryStream(real(directory), each -> filter.accept(path(each)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> each = real.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return each.hasNext();
          }

          @Override
          public Path next() {
            return path(each.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    };
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return disk.readAttributes(real(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    return disk.readAttributes(real(path), names, options);
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return disk.getFileAttributeView(real(path), type, options);
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    disk.checkAccess(real(path), modes);
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return disk.isSameFile(real(one), real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return disk.isHidden(real(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return disk.getFileStore(real(path));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException("copies are not recorded");
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options)
      throws IOException {
    disk.setAttribute(real(path), name, value, options);
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException("there is one");
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return files;
  }

  @Override
  public Path getPath(URI uri) {
    return path(Path.of(uri.getPath()));
  }
}
