// Package racetouch tells the race detector what assembly reads and writes,
// since it does not see into it. Without -race there is nothing in it.
package racetouch
