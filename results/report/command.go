package report

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	prompt  = regexp.MustCompile(`^(?:\[[^\]]*\](?:\[[^\]]*\])?\S*|[\w.-]+@[\w.-]+[^#$%>]{0,60}|[\w.-]{0,40}:?[~/][^\s#$%]*|[\w.-]{1,30}|:~)? ?[#$%] ?`)
	leadEnv = regexp.MustCompile(`^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*) +)+`)
	leadRun = regexp.MustCompile(`^(?:(?:sudo|doas|time|nice|exec|command|\\time|/usr/bin/time|env|taskset|numactl|chrt|cpuset|perf|stdbuf)(?: +-\S+(?: +[\d,x]+)?)*(?: +[\d,]+)? +)+`)
	sslCall = regexp.MustCompile(`(?:^|[\s"'(:])(?:[\w.-]*/)*openssl speed\b([^"|;&)]*)`)
	// "C:\Users\me>", "PS D:\>", "PS>", and what zsh and fish like to show.
	prompt2  = regexp.MustCompile(`^(?:(?:PS )?[A-Za-z]:\\[^>]{0,120}> ?|PS> ?|(?:\S{1,40} )?[❯»λ❱]+ ?|➜ +\S+ (?:git:\(\S+\) )?(?:✗ )?)`)
	ddCall   = regexp.MustCompile(`(?:^|[\s$#%:>(\x60"'])dd ((?:(?:if|of|bs|ibs|obs|count|skip|seek|conv|iflag|oflag|status|speed)=[^\s)"'\x60]+ ?)+)`)
	geliCall = regexp.MustCompile(`(?:^|[\s$#%:>(\x60"'])geli ((?:onetime|init) -[^\x60"')]*)`)
	zeroOut  = regexp.MustCompile(`kern\.geom\.zero\.clear[:=] ?(\d)(?: -> (\d))?`)
)

// opensslCommand is a command line of openssl speed.
type opensslCommand struct {
	text    string
	evp     bool
	elapsed bool
	decrypt bool
	mr      bool
	threads int // 0: one that the line doesn't say as a number
	multi   bool
	seconds float64
	bytes   int64
	engine  string
	names   []string
	aead    bool
	mb      bool // several blocks at once
	aesOff  bool
}

// encCommand is a command line of openssl enc.
type encCommand struct {
	text string
	alg  algorithm
	dec  bool
	in   string
}

// ddCommand is a command line of dd.
type ddCommand struct {
	text           string
	in, out        string
	bs             int64
	direction      Direction
	device         string
	memory         bool
	cached         string
	throughCipher  bool
	mapped         bool
	countWithoutBS bool
	inProse        bool // a sentence gives it, not a prompt
	reblocks       bool // reads and writes blocks of different sizes
}

// commandLine reads a command line at a prompt, or alone on its line.
func (rd *reader) commandLine(l line) verdict {
	s := l.text
	if !l.hash && !strings.ContainsAny(s, "#$%>❯»λ❱➜") && !commandWords(s) || remark(s) {
		return no
	}
	if strings.Contains(s, "geom.zero") && zeroOut.MatchString(s) {
		m, c := zeroOut.FindStringSubmatch(s), rd.at(l)
		on := m[1] == "1"
		if m[2] != "" {
			on = m[2] == "1"
		}
		c.clear = &on
		return yes
	}
	rest := s
	atPrompt := l.hash
	if m := prompt.FindString(rest[:min(len(rest), 200)]); m != "" && len(m) < len(rest) {
		rest, atPrompt = rest[len(m):], true
	} else if m := prompt2.FindString(rest); m != "" && len(m) < len(rest) {
		rest, atPrompt = rest[len(m):], true
	}
	if i := strings.Index(rest, " # "); i > 0 {
		rest = rest[:i]
	}
	env := leadEnv.FindString(rest)
	rest = strings.TrimSpace(rest[len(env):])
	rest = rest[len(leadRun.FindString(rest)):]
	if more := leadEnv.FindString(rest); more != "" {
		env += more
		rest = rest[len(more):]
	}
	word, args, _ := strings.Cut(rest, " ")
	if i := strings.LastIndexByte(word, '/'); i >= 0 {
		word = word[i+1:]
	}
	args = strings.TrimSpace(args)
	switch strings.TrimSuffix(word, ".exe") {
	case "openssl", "libressl":
		if more, ok := strings.CutPrefix(args, "speed"); ok && (atPrompt || speedArgs(more)) {
			rd.opensslSpeed(l, env, more, rest)
			return yes
		}
		if strings.HasPrefix(args, "enc ") || strings.HasPrefix(args, "aes-") || strings.HasPrefix(args, "des") {
			return rd.opensslEnc(l, args, rest)
		}
	case "speed":
		if strings.HasPrefix(args, "-evp") {
			rd.opensslSpeed(l, env, args, rest)
			return yes
		}
	case "geli":
		return rd.geliCommand(l, args, rest)
	case "gelibench":
		if more, ok := strings.CutPrefix(args, "onetime"); ok {
			rd.at(l).newCommand(rest)
			rd.onetimeRecipe(l, strings.Fields(more), rest)
			return yes
		}
	case "dd":
		if strings.Contains(args, "=") {
			rd.newDD(l, args, rest)
			return yes
		}
	case "cryptsetup":
		return rd.cryptsetupCommand(l, args, rest)
	case "kldload", "kldunload", "modprobe", "rmmod", "insmod":
		if args != "" && len(strings.Fields(args)) <= 4 {
			c := rd.at(l)
			c.module(word, args)
			c.newCommand(rest)
			rd.ssl.newRun(rd)
			return yes
		}
	case "cryptotest":
		rd.at(l).newCommand(rest)
		rd.lib.cryptotestThreads = 0
		f := strings.Fields(args)
		for i, a := range f {
			if a == "-t" && i+1 < len(f) {
				rd.lib.cryptotestThreads, _ = strconv.Atoi(f[i+1])
			} else if n, ok := strings.CutPrefix(a, "-t"); ok && n != "" {
				rd.lib.cryptotestThreads, _ = strconv.Atoi(n)
			}
		}
		return yes
	case "gocryptfs", "fio", "hdparm", "diskinfo", "gnutls-cli", "botan", "bssl", "bonnie++", "sysctl", "cryptocheck", "bench-slope", "scp", "go":
		if atPrompt || strings.HasPrefix(args, "-") || (word == "bssl" || word == "botan") && strings.HasPrefix(args, "speed") {
			rd.at(l).newCommand(rest)
			if word == "fio" {
				rd.fio = fioState{}
				rd.fioCommand(args)
			}
			return yes
		}
	}
	// A sentence that gives the command in so many words.
	if strings.Contains(s, "openssl speed") && len(s) < 1000 {
		if m := sslCall.FindStringSubmatch(s); m != nil {
			if cmd := parseOpenSSL("", m[1], "openssl speed"+m[1]); atPrompt && !l.hash || cmd.evp && len(cmd.names) > 0 || len(cmd.names) > 0 && strings.HasPrefix(strings.TrimLeft(s, "( "), "openssl") {
				rd.opensslSpeed(l, env, m[1], "openssl speed"+m[1])
				rd.at(l).cpuInProse(rd, l)
				return yes
			}
		}
	}
	if len(s) < 400 && strings.Contains(s, "dd ") && (strings.Contains(s, "if=") || strings.Contains(s, "of=")) {
		if m := ddCall.FindStringSubmatch(s); m != nil {
			c := rd.at(l)
			several := c.dd != nil && c.dd.inProse && c.ddLeft > 0
			rd.newDD(l, m[1], "dd "+m[1])
			if c.dd.inProse = true; several {
				c.dd = nil // a sentence each: which one made the figures below is not known
			}
			return yes
		}
	}
	if len(s) < 400 && strings.Contains(s, "geli ") {
		if m := geliCall.FindStringSubmatch(s); m != nil {
			return rd.geliCommand(l, m[1], "geli "+m[1])
		}
	}
	if atPrompt && !l.hash && len(rest) > 1 {
		rd.at(l).newCommand(rest)
		rd.ssl.newRun(rd)
		return yes
	}
	return no
}

// speedArgs tells whether what stands behind "openssl speed" can be its
// arguments: a sentence may begin with the two words.
func speedArgs(s string) bool {
	f := strings.Fields(s)
	if len(f) == 0 {
		return true
	}
	if _, ok := parseAlg(f[0]); ok || strings.IndexByte("-|>&;<$\"'12", f[0][0]) >= 0 {
		return true
	}
	return publicKey.MatchString(f[0])
}

// publicKey are other arguments of openssl speed.
var publicKey = regexp.MustCompile(`^(?:rsa|dsa|dh|ffdh|ecdh|ecdsa|ed25519|ed448|x25519|eddsa|sm2|rand|prng|ghash|hmac|cmac|mdc2|blake|sha|md|des|aes)`)

// commandWords tells whether a line can hold a command that matters.
func commandWords(s string) bool {
	for _, w := range []string{"openssl", "speed ", "geli ", "gelibench ", "dd ", "cryptsetup", "kldload", "kldunload", "modprobe", "rmmod", "insmod", "cryptotest", "geom.zero",
		"gocryptfs", "fio", "hdparm", "diskinfo", "gnutls-cli", "botan", "bssl", "bonnie", "sysctl", "bench-slope", "scp ", "go test"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// opensslSpeed takes a command line of openssl speed.
func (rd *reader) opensslSpeed(l line, env, args, text string) {
	rd.remarked(l)
	c := rd.at(l)
	c.newCommand(env + text)
	c.openssl = parseOpenSSL(env, args, c.command)
	rd.opensslRecipe(l, c.openssl)
	c.direction = ""
	rd.ssl.newRun(rd)
}

// remark tells whether a line is a comment with no blank behind its mark, which
// a root's prompt has, too: commands begin with small letters.
func remark(s string) bool {
	return len(s) > 2 && s[0] == '#' && s[1] >= 'A' && s[1] <= 'Z'
}

// onlyCipher is the cipher of the last command, where that is one of openssl
// speed with one cipher.
func (c *context) onlyCipher() string {
	if cmd := c.openssl; cmd != nil && cmd.text == c.command && len(cmd.names) == 1 {
		return cmd.names[0]
	}
	return ""
}

func parseOpenSSL(env, args, text string) *opensslCommand {
	cmd := &opensslCommand{text: text, threads: 1, aesOff: strings.Contains(env, "OPENSSL_ia32cap=") && strings.Contains(env, "~0x") || strings.Contains(env, "OPENSSL_armcap=0") && !strings.Contains(env, "armcap=0x")}
	f := strings.Fields(args)
	for i := 0; i < len(f); i++ {
		val := func() string {
			if i+1 < len(f) {
				i++
				return f[i]
			}
			return ""
		}
		a := strings.TrimPrefix(f[i], "-")
		switch a {
		case "evp":
			cmd.evp = true
			if v := val(); v != "" && !strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "<") {
				cmd.names = append(cmd.names, v)
			}
		case "elapsed":
			cmd.elapsed = true
		case "decrypt":
			cmd.decrypt = f[i][0] == '-'
		case "mr":
			cmd.mr = true
		case "multi":
			cmd.multi = true
			cmd.threads = 0
			if n, err := strconv.Atoi(val()); err == nil && n > 0 && n < 100000 {
				cmd.threads = n
			}
		case "seconds":
			if n, ok := number(val(), false); ok {
				cmd.seconds = n.v
			}
		case "bytes":
			if n, ok := integer(val()); ok && n < 1<<40 {
				cmd.bytes = n
			}
		case "engine":
			cmd.engine = val()
			if j := strings.LastIndexByte(cmd.engine, '/'); j >= 0 {
				cmd.engine = cmd.engine[j+1:]
			}
		case "aead":
			cmd.aead = true
		case "mb":
			cmd.mb = true
		case "mlock", "async_jobs", "hmac", "cmac", "rand", "provider", "provider-path", "propquery", "config":
		default:
			if strings.HasPrefix(f[i], "-") {
				continue
			}
			if _, ok := parseAlg(a); !ok {
				if len(cmd.names) == 0 && !cmd.evp {
					continue
				}
				return cmd // prose behind the command
			}
			cmd.names = append(cmd.names, a)
		}
	}
	return cmd
}

// opensslEnc takes "openssl enc -des3 -in big -out big.enc".
func (rd *reader) opensslEnc(l line, args, text string) verdict {
	c := rd.at(l)
	cmd := &encCommand{text: text}
	f := strings.Fields(args)
	for i, a := range f {
		switch a {
		case "-d":
			cmd.dec = true
		case "-in":
			if i+1 < len(f) {
				cmd.in = f[i+1]
			}
		default:
			if alg, ok := parseAlg(strings.TrimPrefix(a, "-")); ok && cmd.alg.cipher == "" && !alg.hash && (i == 0 || strings.HasPrefix(a, "-")) {
				cmd.alg = alg
			}
		}
	}
	if cmd.alg.cipher == "" {
		return no
	}
	if cmd.alg.mode == "" {
		cmd.alg.mode = "CBC" // openssl's "des3", "bf" and "aes256" are CBC
	}
	c.newCommand(text)
	c.enc = cmd
	return yes
}

// module notes that a kernel module was loaded or taken out.
func (c *context) module(verb, args string) {
	what := verb + " " + args
	if len(c.modules) >= 8 {
		c.modules = c.modules[1:]
	}
	// kldunload undoes kldload and the other way round.
	undo := map[string]string{"kldunload": "kldload ", "kldload": "kldunload ", "rmmod": "modprobe ", "modprobe": "rmmod "}[verb] + args
	for i, m := range c.modules {
		if m == undo {
			c.modules = append(c.modules[:i:i], c.modules[i+1:]...)
			break
		}
	}
	for _, quiet := range []string{"geom_eli", "geom_zero"} {
		if strings.HasPrefix(args, quiet) {
			return // what a gzero run needs anyway
		}
	}
	c.modules = append(c.modules, what)
}

// geliCommand takes "geli onetime -s 4096 -l 256 -e aes-cbc gzero" and its kin.
func (rd *reader) geliCommand(l line, args, text string) verdict {
	c := rd.at(l)
	f := strings.Fields(args)
	if len(f) == 0 {
		return no
	}
	switch f[0] {
	case "kill", "detach", "stop":
		c.newCommand(text)
		c.geli = nil
		return yes
	case "list", "status", "load", "attach", "setkey", "resize", "clear", "dump", "backup":
		c.newCommand(text)
		return yes
	case "onetime", "init", "label":
	default:
		return no
	}
	g := geliConf{line: l.no}
	name := ""
	for i := 1; i < len(f); i++ {
		a := f[i]
		if len(a) < 2 || a[0] != '-' {
			continue
		}
		flag, v := a[1], a[2:]
		if strings.IndexByte("aelsBiJkKPrV", flag) < 0 {
			continue
		}
		if v == "" && i+1 < len(f) {
			i++
			v = f[i]
		}
		switch flag {
		case 'a':
			if strings.HasPrefix(strings.ToLower(v), "hmac/") {
				g.alg.auth = strings.ToUpper(v)
			} else {
				name = strings.ToLower(v) // before 2006 -a was the cipher
				g.alg.mode = "CBC"
			}
		case 'e':
			name = strings.ToLower(v)
		case 'l':
			if n, err := strconv.Atoi(v); err == nil && n > 0 && n <= 4096 {
				g.alg.keyBits = n
			}
		case 's':
			if n, ok := expand(v); ok {
				g.sector = n
			}
		}
	}
	auth, bits, mode := g.alg.auth, g.alg.keyBits, g.alg.mode
	if name != "" {
		a, ok := parseAlg(name)
		if !ok {
			return rd.broken("an algorithm that geli doesn't have")
		}
		g.alg = a
		if g.alg.mode == "" {
			g.alg.mode = mode
		}
		g.alg.auth, g.alg.keyBits = auth, bits
		if g.alg.mode == "" && g.alg.cipher != "AES" && g.alg.cipher != "null" {
			g.alg.mode = "CBC" // the only one that GELI has for the others
		} else if g.alg.mode == "" && g.alg.cipher == "AES" {
			g.defaults = "aes alone is AES-XTS since FreeBSD 9 and was AES-CBC before"
		}
	}
	if name == "" {
		g.alg.cipher, g.alg.mode = "AES", "XTS"
		g.defaults = "geli's default cipher: AES-XTS since FreeBSD 9, AES-CBC before"
	}
	if g.alg.keyBits == 0 && g.alg.cipher != "" {
		g.alg.keyBits = map[string]int{"AES": 128, "Camellia": 128, "Blowfish": 128, "3DES": 192}[g.alg.cipher]
		g.defaults = strings.TrimPrefix(g.defaults+"; geli's default key length", "; ")
	}
	if len(c.gelis) < 256 {
		c.gelis = append(c.gelis, g)
	}
	c.geli = &g
	c.labelAlg = nil
	c.newCommand(text)
	return yes
}

// expand reads a size as expand_number does: "4096", "4k", "1m".
func expand(s string) (int64, bool) {
	if s == "" {
		return 0, false
	}
	shift := 0
	if i := strings.IndexByte("kmgt", s[len(s)-1]|0x20); i >= 0 {
		shift, s = 10*(i+1), s[:len(s)-1]
	}
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil || n < 0 || n > 1<<62>>shift {
		return 0, false
	}
	return n << shift, true
}
