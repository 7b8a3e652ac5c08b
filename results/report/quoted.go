package report

import (
	"regexp"
	"strings"
)

var (
	// "[  662.875209] " and "Jan 12 12:00:01 host kernel: [  662.8] "
	stamp    = regexp.MustCompile(`^(<\d>)?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ kernel: )?\[ *\d+\.\d{3,6}\] ?`)
	syslog   = regexp.MustCompile(`^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ kernel: `)
	numbered = regexp.MustCompile(`^(\d{1,6}[.)][ \t]|\d{1,6}:[ \t]*[A-Za-z#$%+]|\d{1,6}\t| {0,5}\d{1,6} {2,}[A-Za-z#$%+\[]|\d{1,6} ?\| )`)
	initials = regexp.MustCompile(`^[A-Z][A-Za-z]{0,3}> ?`)
	mailMark = regexp.MustCompile(`^([ \t]*>)+ ?`)
)

// prefixes strips what containers put before a line, over and over: quote
// marks, comment marks, list and diff marks, line numbers, time stamps.
func prefixes(l *line, s string) string {
	for range 8 {
		t := strings.TrimLeft(s, " \t")
		if t == "" {
			return ""
		}
		switch c := t[0]; {
		case c == '>':
			m := mailMark.FindString(t)
			l.quoted += strings.Count(m, ">")
			s = t[len(m):]
			continue
		case c == '#' && (len(t) == 1 || t[1] == ' ' || t[1] == '\t' || t[1] == '>'):
			l.hash = true
			s = t[1:]
			continue
		case c == '%' && strings.HasPrefix(t, "%% "):
			s = t[3:]
			continue
		case c == '/' && strings.HasPrefix(t, "//"):
			if t := strings.TrimLeft(t, "/!"); strings.HasPrefix(t, " ") || t == "" {
				s = t
				continue
			}
		case c == '*' && (strings.HasPrefix(t, "* ") || t == "*"):
			s = t[1:]
			continue
		case c == ';' && strings.HasPrefix(t, ";;"):
			s = strings.TrimLeft(t, ";")
			continue
		case c == '-' && strings.HasPrefix(t, "- "):
			s = t[2:]
			continue
		case c == '+' && len(t) > 1 && t[1] != '+' && t[1] != '-' && !machine(t):
			s = t[1:]
			continue
		case c == '|' && strings.HasPrefix(t, "| > "):
			s = t[2:]
			continue
		case c == '[' || c == '<':
			if m := stamp.FindString(t); m != "" {
				s = t[len(m):]
				continue
			}
		case c >= '0' && c <= '9':
			if m := numbered.FindString(t); m != "" {
				if last := m[len(m)-1]; last != ' ' && last != '\t' {
					m = m[:len(m)-1]
				}
				s = t[len(m):]
				continue
			}
		case c >= 'A' && c <= 'Z':
			if len(t) > 16 && t[3] == ' ' && strings.Contains(t[:min(len(t), 80)], " kernel: ") {
				if m := syslog.FindString(t); m != "" {
					s = t[len(m):]
					continue
				}
			}
			if strings.IndexByte(t[:min(len(t), 5)], '>') > 0 {
				if m := initials.FindString(t); m != "" && !strings.HasPrefix(m, "PS>") {
					l.quoted++
					s = t[len(m):]
					continue
				}
			}
		}
		return t
	}
	return s
}

// machine tells whether a "+" belongs to openssl's machine readable form.
func machine(t string) bool {
	i := 1
	for i < len(t) && (t[i] >= 'A' && t[i] <= 'Z' || t[i] >= '0' && t[i] <= '9') {
		i++
	}
	return i > 1 && i < len(t) && t[i] == ':'
}

// suffixes strips the empty cells that a gist's table leaves behind a line.
func suffixes(s string) string {
	s = strings.TrimRight(s, " \t\r")
	for strings.HasSuffix(s, "|") {
		t := strings.TrimRight(s[:len(s)-1], " \t")
		if strings.HasPrefix(strings.TrimLeft(s, " "), "|") && !strings.HasSuffix(t, "|") {
			break // a table's row, not a leftover
		}
		s = t
	}
	return s
}
