/* powercut: records what a process asks of the files in one folder, so that a test can build the folder as a disk
 * could hold it after a loss of power. Loaded with LD_PRELOAD by crates/server/tests/it/powercut, which reads the record.
 *
 * The files themselves are written at once, so the process sees its writes. No sync reaches the disk: a sync is a line
 * of the record, and the test decides which of the unsynced writes survive. The control page, which the test may change
 * at any time, makes syncs fail with EIO, makes them have no effect, or ends the process before the nth call.
 *
 * A failed sync is reported as Linux does (errseq_t): once to every descriptor of the file that was open then; the writes that
 * it covered are never written by a later sync. The report itself may come with a sync that lost nothing. Not recorded: mmap
 * (SQLite's -shm, which no loss of power leaves), fallocate, copy_file_range, and folders within the folder.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* Kinds of lines of the record; powercut/record.rs has the same. Of a sync, `offset` is its number. */
enum { OPENED, CREATED, WRITTEN, CUT, UNLINKED, RENAMED, SYNC_BEGUN, SYNC_DONE, SYNC_FAILED };

/* Set by the test; 32-bit words in a shared file. */
struct control {
    volatile uint32_t calls_left;      /* 0: no end; n: the process ends before the nth call from now */
    volatile uint32_t fail_per_mille;  /* how many of 1,000 syncs of files fail */
    volatile uint32_t lie;             /* not 0: syncs succeed and make nothing durable */
    volatile uint32_t most_microseconds; /* a sync takes up to this long */
    volatile uint32_t database_only;     /* not 0: only syncs of files named *.db fail */
};

struct header {
    uint64_t kind, file, offset, length; /* the inode number, 0 for the folder; `length` bytes follow */
};

/* A descriptor of a file in the folder; `file` is 0 for all others. */
struct descriptor {
    ino_t file;
    uint32_t failures_seen;
    int is_database; /* not a log, not a lock */
};

enum { DESCRIPTORS = 65536, FILES = 4096 };

static struct descriptor descriptors[DESCRIPTORS];
/* Failed syncs by inode number; two files that share an entry only see more failures. */
static uint32_t failures[FILES];
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static struct control *control;
static char folder[4096];
static dev_t device;
static ino_t folder_inode;
static int record = -1;
static uint64_t last_sync, chance;

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_unlinkat)(int, const char *, int);
static int (*real_rename)(const char *, const char *);

static void fatal(const char *what) {
    fprintf(stderr, "powercut: %s\n", what);
    abort();
}

static void *find(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) fatal(name);
    return found;
}

__attribute__((constructor)) static void start(void) {
    real_open = find("open64"), real_openat = find("openat64"), real_write = find("write");
    real_pwrite = find("pwrite64"), real_writev = find("writev"), real_pwritev = find("pwritev64");
    real_ftruncate = find("ftruncate64"), real_fsync = find("fsync");
    real_unlinkat = find("unlinkat"), real_rename = find("rename");
    const char *where = getenv("POWERCUT_FOLDER"), *to = getenv("POWERCUT_RECORD"), *by = getenv("POWERCUT_CONTROL");
    struct stat status;
    if (!where || !to || !by) return;
    if (!realpath(where, folder) || stat(folder, &status)) fatal("POWERCUT_FOLDER");
    device = status.st_dev, folder_inode = status.st_ino;
    int page = real_open(by, O_RDWR | O_CLOEXEC);
    control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    if (page < 0 || control == MAP_FAILED) fatal("POWERCUT_CONTROL");
    close(page);
    record = real_open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (record < 0) fatal("POWERCUT_RECORD");
    chance = (uint64_t)getpid() * 0x9e3779b97f4a7c15u;
}

static uint32_t random_below(uint32_t limit) {
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return limit ? (uint32_t)(chance >> 33) % limit : 0;
}

/* With `order` held: the power may fail here. No other call can begin meanwhile. */
static void tick(void) {
    if (control->calls_left && --control->calls_left == 0) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
}

/* With `order` held, after the call itself: an unrecorded call may be forgotten, because its result was not returned yet. */
static void note(uint64_t kind, uint64_t file, uint64_t offset, const void *bytes, uint64_t length) {
    struct header header = {kind, file == folder_inode ? 0 : file, offset, length};
    struct iovec parts[2] = {{&header, sizeof header}, {(void *)bytes, length}};
    if (real_writev(record, parts, 2) != (ssize_t)(sizeof header + length)) fatal("the record cannot be written");
}

/* The name within the folder, or NULL. */
static const char *name_in_folder(const char *path) {
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) || path[length] != '/') return NULL;
    const char *name = path + length + 1;
    return *name && !strchr(name, '/') ? name : NULL;
}

/* The same for a path that may be relative or contain links. The file itself need not exist. */
static const char *resolved(const char *path, char *buffer) {
    char parent[4096];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (record < 0 || length >= sizeof parent) return NULL;
    memcpy(parent, path, length), parent[length] = 0;
    if (!realpath(slash ? (length ? parent : "/") : ".", buffer)) return NULL;
    if (strlen(buffer) + strlen(name) + 2 > 4096) return NULL;
    strcat(buffer, "/"), strcat(buffer, name);
    return name_in_folder(buffer);
}

static struct descriptor *watched(int fd) {
    struct stat status;
    if (record < 0 || fd < 0 || fd >= DESCRIPTORS || !descriptors[fd].file) return NULL;
    /* Was it closed meanwhile, and the number given to another file? */
    if (fstat(fd, &status) || status.st_dev != device || status.st_ino != descriptors[fd].file) {
        descriptors[fd].file = 0;
        return NULL;
    }
    return &descriptors[fd];
}

static int opened(int fd, const char *name, int existed, int flags) {
    struct stat status;
    if (fd < 0 || fd >= DESCRIPTORS || fstat(fd, &status) || status.st_dev != device) return fd;
    if (!name && status.st_ino != folder_inode) return fd;
    size_t length = name ? strlen(name) : 0;
    if (length > 4 && !strcmp(name + length - 4, "-shm")) return fd;
    int is_database = length > 3 && !strcmp(name + length - 3, ".db");
    descriptors[fd] = (struct descriptor){status.st_ino, failures[status.st_ino % FILES], is_database};
    if (!name) return fd;
    note(existed ? OPENED : CREATED, status.st_ino, 0, name, length);
    if (existed && flags & O_TRUNC) note(CUT, status.st_ino, 0, "", 0);
    return fd;
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
    char buffer[8192];
    struct stat status;
    if (record < 0 || (at != AT_FDCWD && *path != '/')) return real_openat(at, path, flags, mode);
    const char *name = resolved(path, buffer);
    pthread_mutex_lock(&order);
    int existed = !stat(path, &status);
    int fd = opened(real_openat(at, path, flags, mode), name, existed, flags);
    int error = errno;
    pthread_mutex_unlock(&order);
    errno = error;
    return fd;
}

static mode_t mode_of(int flags, va_list more) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; }

#define OPEN(name)                                       \
    int name(const char *path, int flags, ...) {         \
        va_list more;                                    \
        va_start(more, flags);                           \
        mode_t mode = mode_of(flags, more);              \
        va_end(more);                                    \
        return open_at(AT_FDCWD, path, flags, mode);     \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                     \
    int name(int at, const char *path, int flags, ...) { \
        va_list more;                                    \
        va_start(more, flags);                           \
        mode_t mode = mode_of(flags, more);              \
        va_end(more);                                    \
        return open_at(at, path, flags, mode);           \
    }
OPENAT(openat)
OPENAT(openat64)

/* Begins a call on a watched descriptor: `order` is held when it returns a descriptor. */
static struct descriptor *begin(int fd) {
    struct descriptor *of = watched(fd);
    if (!of) return NULL;
    pthread_mutex_lock(&order);
    tick();
    return of;
}

static ssize_t written(struct descriptor *of, ssize_t length, off64_t offset, const void *bytes) {
    int error = errno;
    if (length > 0) note(WRITTEN, of->file, (uint64_t)offset, bytes, (uint64_t)length);
    pthread_mutex_unlock(&order);
    errno = error;
    return length;
}

static ssize_t put(int fd, const void *bytes, size_t length, off64_t offset) {
    struct descriptor *of = begin(fd);
    if (!of) return real_pwrite(fd, bytes, length, offset);
    return written(of, real_pwrite(fd, bytes, length, offset), offset, bytes);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return put(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return put(fd, bytes, length, offset); }

ssize_t write(int fd, const void *bytes, size_t length) {
    struct descriptor *of = begin(fd);
    if (!of) return real_write(fd, bytes, length);
    ssize_t done = real_write(fd, bytes, length);
    return written(of, done, lseek(fd, 0, SEEK_CUR) - (done > 0 ? done : 0), bytes);
}

/* Written in one piece, which the kernel may do, too. */
static ssize_t gathered(int fd, const struct iovec *parts, int count, off64_t offset) {
    size_t length = 0;
    for (int at = 0; at < count; at++) length += parts[at].iov_len;
    char *bytes = malloc(length + 1), *end = bytes;
    if (!bytes) fatal("no memory");
    for (int at = 0; at < count; at++) end = mempcpy(end, parts[at].iov_base, parts[at].iov_len);
    ssize_t done = offset < 0 ? write(fd, bytes, length) : put(fd, bytes, length, offset);
    free(bytes);
    return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    return watched(fd) ? gathered(fd, parts, count, -1) : real_writev(fd, parts, count);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
    return watched(fd) ? gathered(fd, parts, count, offset) : real_pwritev(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
    return watched(fd) ? gathered(fd, parts, count, offset) : real_pwritev(fd, parts, count, offset);
}

static int cut_to(int fd, off64_t length) {
    struct descriptor *of = begin(fd);
    int done = real_ftruncate(fd, length), error = errno;
    if (!of) return done;
    if (!done) note(CUT, of->file, (uint64_t)length, "", 0);
    pthread_mutex_unlock(&order);
    errno = error;
    return done;
}
int ftruncate(int fd, off_t length) { return cut_to(fd, length); }
int ftruncate64(int fd, off64_t length) { return cut_to(fd, length); }

static int sync_of(int fd) {
    struct descriptor *of = begin(fd);
    if (!of) return real_fsync(fd);
    ino_t file = of->file;
    uint64_t number = ++last_sync;
    uint32_t *failed = &failures[file % FILES], pause_for = random_below(control->most_microseconds);
    int may_fail = file != folder_inode && (of->is_database || !control->database_only);
    int fails = may_fail && random_below(1000) < control->fail_per_mille;
    note(SYNC_BEGUN, file, number, "", 0);
    pthread_mutex_unlock(&order);
    usleep(pause_for);
    pthread_mutex_lock(&order);
    tick();
    if (fails) ++*failed;
    int told = of->failures_seen != *failed;
    of->failures_seen = *failed;
    /* A failure of another descriptor's sync that is only reported late loses none of the writes that this one covers. */
    if (fails) note(SYNC_FAILED, file, number, "", 0);
    else if (!told && !control->lie) note(SYNC_DONE, file, number, "", 0);
    pthread_mutex_unlock(&order);
    if (told) errno = EIO;
    return told ? -1 : 0;
}
int fsync(int fd) { return sync_of(fd); }
int fdatasync(int fd) { return sync_of(fd); }

static int removed(int at, const char *path, int flags) {
    char buffer[8192];
    const char *name = at == AT_FDCWD || *path == '/' ? resolved(path, buffer) : NULL;
    if (!name) return real_unlinkat(at, path, flags);
    pthread_mutex_lock(&order);
    tick();
    int done = real_unlinkat(at, path, flags), error = errno;
    if (!done) note(UNLINKED, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&order);
    errno = error;
    return done;
}
int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return removed(at, path, flags); }

int rename(const char *from, const char *to) {
    char buffers[2][8192], both[8194];
    const char *old = resolved(from, buffers[0]), *new = resolved(to, buffers[1]);
    if (!old || !new) return real_rename(from, to);
    int length = snprintf(both, sizeof both, "%s%c%s", old, 0, new);
    pthread_mutex_lock(&order);
    tick();
    int done = real_rename(from, to), error = errno;
    if (!done) note(RENAMED, 0, 0, both, (uint64_t)length);
    pthread_mutex_unlock(&order);
    errno = error;
    return done;
}
