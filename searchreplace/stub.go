package searchreplace

func startCline(*scope, line) machine { return nil }
func startGit(*scope, line) machine   { return nil }
func startCall(*scope, line) machine  { return nil }
