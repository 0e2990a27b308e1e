//go:build fire && linux && !mutant

package apply

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnderFireEveryMutantIsCaught removes one guarantee after the other from the
// replacement, and each time demands that the test of that guarantee fails. The
// two fsyncs are removed once more where the power is cut.
func TestUnderFireEveryMutantIsCaught(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "apply.test")
	command(t, "go", "test", "-c", "-tags", "fire mutant", "-o", exe, ".")
	for _, c := range []struct{ mutant, test string }{
		{"sync", "TestTheFileIsOnDiskBeforeItsNameAndTheNameBeforeTheAnswer"},
		{"syncdir", "TestTheFileIsOnDiskBeforeItsNameAndTheNameBeforeTheAnswer"},
		{"rehash", "TestAChangeThatNoClockShowsIsSeenBeforeTheExchange"},
		{"verify", "TestWhatComesBetweenTheLookAndTheExchangeIsPutBack"},
		{"verify", "TestWhateverCallFailsWhatOthersWroteIsNeverLost"},
		{"verify", "TestOnExt4TmpfsAndOverlayfsAForeignWriteIsNoticed"},
		{"exchange", "TestWhatComesBetweenTheLookAndTheExchangeIsPutBack"},
		{"exchange", "TestWhateverCallFailsWhatOthersWroteIsNeverLost"},
		{"exchange", "TestOnExt4TmpfsAndOverlayfsNothingDegrades"},
		{"lease", "TestAWriteAfterTheLastHashIsNotLost"},
		{"lease", "TestAFileThatIsOpenForWritingIsNotReplaced"},
		{"lease", "TestOnExt4TmpfsAndOverlayfsNothingDegrades"},
		{"patience", "TestAFileThatIsOpenForWritingForAMomentIsWaitedFor"},
		{"patience", "TestProgramsThatStartMeanwhileRefuseNoEdit"},
		{"journal", "TestTheSweepNeverRemovesWhatAJournalNames"},
		{"done", "TestTheSweepNeverRemovesWhatAJournalNames"},
		{"rollback", "TestAForeignChangeBetweenPrepareAndCommitSurvivesAndAllIsOld"},
		{"stillold", "TestWhatIsWrittenToADisplacedFileIsKept"},
		{"underway", "TestARequestUnderWayIsNotRepaired"},
		{"marker", "TestAJournalThatSomebodyMadeDoesNothingThatHeCouldNotDo"},
		{"ready", "TestTheJournalAndAllThatItNamesIsOnDiskBeforeTheFirstChange"},
		{"ready", "TestAfterACrashAtAnyCallTheNextCommandFindsAllOrNothing"},
		{"readysync", "TestTheJournalAndAllThatItNamesIsOnDiskBeforeTheFirstChange"},
		{"mark", "TestAfterACrashAtAnyCallTheNextCommandFindsAllOrNothing"},
		{"markdir", "TestAfterACrashAtAnyCallTheNextCommandFindsAllOrNothing"},
		{"backsync", "TestAllNamesAreOnDiskBeforeTheJournalSaysThatItIsDone"},
		{"syncdir", "TestAllNamesAreOnDiskBeforeTheJournalSaysThatItIsDone"},
		{"repairsync", "TestARepairIsOnDiskBeforeTheJournalSaysThatItIsDone"},
		{"repairlook", "TestAFileThatChangedSinceTheCrashKeepsAllAsTheyAre"},
		{"whole", "TestWhoSeesAPartOfTheFilesLeavesAllAsTheyAre"},
		{"undolook", "TestAForeignChangeBetweenCommitAndRollBackIsKeptAndTheAnswerSaysWhatEachFileIs"},
		{"undoverify", "TestWhatComesBetweenTheLookAndTheRollBackIsKeptAndNamed"},
		{"maker", "TestAJournalOfAnotherUserDoesNothingToOurFiles"},
		{"sticky", "TestAJournalOfAnotherUserDoesNothingToOurFiles"},
	} {
		t.Run(c.mutant+"/"+c.test, func(t *testing.T) {
			run := func(mutant string) (string, error) {
				cmd := exec.Command(exe, "-test.run", "^"+c.test+"$", "-test.v")
				cmd.Env = append(os.Environ(), "HL_APPLY_MUTANT="+mutant)
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			out, err := run("")
			require.NoError(t, err, "without a mutant: %s", out)
			require.Contains(t, out, "--- PASS: "+c.test)
			out, err = run(c.mutant)
			require.Error(t, err, "the mutant lives")
			require.Contains(t, out, "--- FAIL: "+c.test)
			require.NotContains(t, out, "panic:")
		})
	}
}
