// Package stats says what can be concluded from samples, and how sure it is.
//
// What it assumes: nothing about the shape of the noise. A rate is a median
// with an order-statistic interval; two cases of one run are compared by the
// ratios of their rates round by round, which no drift of the machine can
// fool, and two runs made apart by the Mann-Whitney test. Many comparisons at
// once are corrected by Holm's method. The confidence is 95 % throughout.
//
// Rates are bytes a second, times nanoseconds, ratios and shares plain numbers
// (0.01 is one percent). An interval without a bound has infinite ends.
//
// All functions are pure, leave their arguments as they are, and may be called
// from many goroutines.
package stats
