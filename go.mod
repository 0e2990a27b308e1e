module github.com/hlkit/hlkit

go 1.26.0

require golang.org/x/text v0.44.0

require github.com/cespare/xxhash/v2 v2.3.0 // indirect
