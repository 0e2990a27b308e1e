//go:build fire && unix && !mutant

package lock

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnderFireEveryMutantIsCaught removes one guarantee after the other from the
// package, and each time demands that the test of that guarantee fails.
func TestUnderFireEveryMutantIsCaught(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "lock.test")
	out, err := exec.Command("go", "test", "-c", "-tags", "fire mutant", "-o", exe, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)

	caught := []struct{ mutant, test string }{
		{"shared gate", "TestReadersPassTheGateOneByOne"},
		{"shared gate", "TestUnderFireManyProcessesAtTheGateDoNotStarveAWriter"},
		{"shared room", "TestReadersOfOneProcessDoNotShareARoom"},
		{"shared room", "TestUnderFireOneProcessDoesNotStarveTheWriterOfAnother"},
		{"deleted file", "TestAReaderThatLeavesLetsNoWriterInBesideAnother"},
		{"deleted file", "TestLockFilesStay"},
		{"deleted file", "TestUnderFireProcessesThatAreKilledAtAnyTimeBreakNothing"},
		{"unchecked file", "TestALockFileThatSomebodyReplacedIsNoticed"},
		{"overtaken writer", "TestNobodyOvertakesAWaitingWriter"},
		{"overtaken writer", "TestTheQueueDoesWhatItsModelDoes"},
	}
	for _, c := range caught {
		t.Run(c.mutant+"/"+c.test, func(t *testing.T) {
			run := func(mutant string) ([]byte, error) {
				cmd := exec.Command(exe, "-test.run", "^"+c.test+"$", "-test.v", "-rapid.nofailfile")
				cmd.Env = append(os.Environ(), "HL_LOCK_MUTANT="+mutant)
				return cmd.CombinedOutput()
			}
			out, err := run("")
			require.NoError(t, err, "without a mutant: %s", out)
			require.Contains(t, string(out), "--- PASS: "+c.test)
			// A test that kills at random moments may miss the one that matters.
			const tries = 6
			for n := 0; n < tries; n++ {
				if out, err = run(c.mutant); err != nil {
					break
				}
			}
			require.Error(t, err, "the mutant lives")
			require.Contains(t, string(out), "--- FAIL: "+c.test)
		})
	}
}
