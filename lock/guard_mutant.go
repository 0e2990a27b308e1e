//go:build mutant

package lock

import (
	"context"
	"os"
	"sync"
)

// mutant names the guarantee that is removed.
var mutant = os.Getenv("HL_LOCK_MUTANT")

func (d *Dir) enter(ctx context.Context, k key, write bool) (*pass, error) {
	if mutant != "shared room" || write {
		return d.enterFiles(ctx, k, write)
	}
	rooms.Lock()
	if r := rooms.of[room{d, k}]; r != nil {
		r.users++
		rooms.Unlock()
		return &pass{room: r.file}, nil
	}
	rooms.Unlock()
	p, err := d.enterFiles(ctx, k, false)
	if err != nil {
		return nil, err
	}
	rooms.Lock()
	defer rooms.Unlock()
	if rooms.of[room{d, k}] == nil {
		rooms.of[room{d, k}] = &sharedRoom{p.room, 1}
	}
	return p, nil
}

// rooms has the room locks that the readers of the process share.
var rooms = struct {
	sync.Mutex
	of map[room]*sharedRoom
}{of: map[room]*sharedRoom{}}

type room struct {
	dir *Dir
	key key
}

type sharedRoom struct {
	file  *os.File
	users int
}

func giveUp(f *os.File) {
	rooms.Lock()
	defer rooms.Unlock()
	for at, r := range rooms.of {
		if r.file != f {
			continue
		}
		if r.users--; r.users > 0 {
			return
		}
		delete(rooms.of, at)
	}
	if mutant == "deleted file" {
		os.Remove(f.Name())
	}
	unlockFile(f)
	f.Close()
}

func sharedGate() bool { return mutant == "shared gate" }

func isStill(name string, f *os.File) bool {
	return mutant == "unchecked file" || sameFile(name, f)
}

func overtakes(q *queue, write bool) bool { return mutant == "overtaken writer" && !write }
