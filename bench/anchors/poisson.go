package main

import "math"

// poissonInterval returns the counts between which a Poisson variable with the
// given mean lies with the given probability: below and above, half of the rest
// each, at most.
func poissonInterval(mean, inside float64) (low, high int64) {
	if mean <= 0 {
		return 0, 0
	}
	tail := (1 - inside) / 2
	sum := 0.0 // P(X ≤ k)
	low = -1
	for k := int64(0); ; k++ {
		lg, _ := math.Lgamma(float64(k) + 1)
		sum += math.Exp(float64(k)*math.Log(mean) - mean - lg)
		if low < 0 && sum > tail {
			low = k
		}
		if sum >= 1-tail {
			return low, k
		}
	}
}
