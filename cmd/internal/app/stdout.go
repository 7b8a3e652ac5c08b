package app

import "io"

// stickyWriter remembers the first error, so that a full disk or a closed pipe
// does not end in exit code 0 because one print of many did not look.
type stickyWriter struct {
	w   io.Writer
	err error
}

func (s *stickyWriter) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}
