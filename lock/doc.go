// Package lock orders the work of cooperating processes on a file: any number
// may read it, or one may write it. The lock is advisory. It gives ordering among
// our own processes; editors, formatters and compilers ignore it, and safety
// comes from the check of the content that a writer makes before and after it
// replaces a file.
//
// Start with [Lock], [RLock] or [LockAll]:
//
//	unlock, err := lock.Lock(ctx, "srv/main.go")
//	if err != nil {
//		return err // a *TimeoutError if others held it for too long
//	}
//	defer unlock()
//
// They use the directory of lock files that [DefaultPath] names; a [Dir] is one
// that the caller chose.
//
// # Promises
//
// A writer excludes everybody, readers share. In one process the callers for one
// path are served in the order they came: nobody overtakes a waiting writer. A
// caller that gives up leaves no trace, different paths never wait for each
// other, and a path that nobody uses costs no memory. Between processes readers
// cannot starve a writer, but the order is not strict. The lock of a process that
// dies is free at once, and a child process does not inherit it.
//
// Nobody waits forever: without a deadline in the context, [DefaultTimeout] holds.
//
// # How it works
//
// A file has two lock files, a gate and a room, locked with flock (LockFileEx on
// Windows). A reader locks the gate exclusively, the room shared, and unlocks the
// gate; a writer locks both exclusively and keeps both (of over a hundred paths at
// once, the rooms alone). So all pass the gate one
// at a time, and a writer that waits for the readers in the room holds the gate,
// and no more come in. Measured with 16 readers in a tight loop, a gate that
// readers share starves the writer as plain flock does.
//
// Lock files are never deleted: whoever waits for a deleted file and whoever made
// a new one would both hold the lock. Somebody else may delete them, so after
// every acquisition the name must still be that of the locked file.
//
// # Limits
//
// There is no recursion and no upgrade: to read, change and write, take the write
// lock. Several paths are taken with one call of [LockAll], not one by one. Users
// have a directory each, and so do containers unless HL_LOCK_DIR is a directory
// that they share: who uses different directories is not ordered. A process that
// is stopped with a lock makes the others time out. The last element of a path is
// taken as it is; follow its symbolic links first.
package lock
