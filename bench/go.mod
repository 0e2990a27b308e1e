module github.com/hlkit/hlkit/bench

go 1.26.0

replace github.com/hlkit/hlkit => ..

require (
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/hlkit/hlkit v0.0.0-00010101000000-000000000000
	github.com/tiktoken-go/tokenizer v0.10.0
)

require (
	github.com/dlclark/regexp2/v2 v2.5.1 // indirect
	github.com/go-json-experiment/json v1.27.2 // indirect
	golang.org/x/text v0.44.0 // indirect
)
