package searchreplace

import "encoding/binary"

// gram is how many bytes in a row a needle is known by.
const gram = 8

const (
	fewNeedles   = 8       // that are faster looked for one by one
	mostSpots    = 1 << 12 // places of a needle's rarest gram that are looked at
	mostOffsets  = 256     // of a needle, at which its rarest gram may be
	gramHashBits = 16
)

// findMany looks for needles in text in two passes over it, however many there
// are, and returns where each stands, as findAll does. Needles that are too short,
// or whose rarest piece is common in text, are left out: they are to be looked for
// alone, and will be found soon.
func findMany(text []byte, needles []string) map[string][]int {
	found := map[string][]int{}
	if len(needles) < fewNeedles || len(text) < gram {
		return found
	}
	counts := make([]uint32, 1<<gramHashBits)
	for i := 0; i+gram <= len(text); i++ {
		counts[gramHash(text[i:])]++
	}
	type spot struct {
		needle string
		offset int
	}
	spots := map[uint16][]spot{}
	for _, needle := range needles {
		if _, ok := found[needle]; ok || len(needle) < gram {
			continue
		}
		rarest, at := uint32(1<<32-1), 0
		for i := 0; i+gram <= len(needle) && i < mostOffsets; i++ {
			if n := counts[gramHash([]byte(needle[i:i+gram]))]; n < rarest {
				rarest, at = n, i
			}
		}
		if rarest > mostSpots {
			continue
		}
		found[needle] = nil
		if rarest > 0 {
			h := gramHash([]byte(needle[at : at+gram]))
			spots[h] = append(spots[h], spot{needle, at})
		}
	}
	var wanted [1 << gramHashBits]bool
	for h := range spots {
		wanted[h] = true
	}
	for i := 0; i+gram <= len(text); i++ {
		h := gramHash(text[i:])
		if !wanted[h] {
			continue
		}
		for _, s := range spots[h] {
			start := i - s.offset
			if start >= 0 && start+len(s.needle) <= len(text) && string(text[start:start+len(s.needle)]) == s.needle {
				found[s.needle] = append(found[s.needle], start)
			}
		}
	}
	return found
}

func gramHash(b []byte) uint16 {
	return uint16(binary.LittleEndian.Uint64(b) * 0x9E3779B97F4A7C15 >> (64 - gramHashBits))
}
