//go:build mutant

package apply

import "os"

// mutant names the guarantee that is removed.
var mutant = os.Getenv("HL_APPLY_MUTANT")

func removed(guarantee string) bool { return mutant == guarantee }
