//go:build race

package searchreplace_test

const raceEnabled = true
