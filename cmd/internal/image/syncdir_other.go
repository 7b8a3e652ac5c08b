//go:build !unix

package image

// syncDir does nothing: folders cannot be synced here.
func syncDir(string) error { return nil }
