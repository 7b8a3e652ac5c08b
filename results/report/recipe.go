package report

import "strings"

// maxRecipes is how many recipes of a text are kept.
const maxRecipes = 1_000

// Recipe is a measurement that a text gives the commands for, with or without
// its figure: dd through a provider that geli or cryptsetup set up, openssl
// speed, cryptsetup benchmark. Zero values were not stated.
type Recipe struct {
	Line    int    `json:"line"`
	Tool    string `json:"tool"`
	Command string `json:"command"`
	Cipher  string `json:"cipher"`
	Mode    string `json:"mode,omitempty"`
	KeyBits int    `json:"key_bits,omitempty"` // one half for XTS
	Auth    string `json:"auth,omitempty"`
	// Sector and BlockBytes are as of a Result.
	Sector     int64     `json:"sector_bytes,omitempty"`
	BlockBytes int64     `json:"block_bytes,omitempty"`
	Direction  Direction `json:"direction,omitempty"`
	Threads    int       `json:"threads,omitempty"`
	Clear      *bool     `json:"clear,omitempty"`
	Quoted     int       `json:"quoted,omitempty"`
}

// Result is the figure that the recipe would give, without its rate.
func (r Recipe) Result() Result {
	return Result{Line: r.Line, Kind: Cipher, Tool: r.Tool, Command: r.Command, Cipher: r.Cipher, Mode: r.Mode, KeyBits: r.KeyBits, Auth: r.Auth,
		Sector: r.Sector, BlockBytes: r.BlockBytes, Direction: r.Direction, Threads: r.Threads, Clear: r.Clear, Quoted: r.Quoted}
}

func (rd *reader) recipe(l line, tool, command string, a algorithm, r Recipe) {
	if a.cipher == "" || a.hash || len(rd.report.Recipes) >= maxRecipes {
		return
	}
	r.Line, r.Tool, r.Command, r.Quoted = l.no, tool, strings.TrimSpace(command), l.quoted
	r.Cipher, r.Mode, r.KeyBits, r.Auth = a.cipher, a.mode, a.keyBits, a.auth
	rd.report.Recipes = append(rd.report.Recipes, r)
}

// ddRecipe notes a dd command that reads or writes through a cipher.
func (rd *reader) ddRecipe(l line, c *context, cmd *ddCommand) {
	g := c.geli
	if cmd.mapped {
		g = c.dm
	} else if !cmd.throughCipher {
		return
	}
	if g != nil {
		rd.recipe(l, "dd", cmd.text, g.alg, Recipe{Sector: g.sector, BlockBytes: cmd.bs, Direction: cmd.direction, Clear: c.clear})
	}
}

// opensslSizes are the blocks that openssl speed takes by itself.
var opensslSizes = []int64{16, 64, 256, 1024, 8192, 16384}

// opensslRecipe notes a command line of openssl speed that names ciphers.
func (rd *reader) opensslRecipe(l line, cmd *opensslCommand) {
	sizes := opensslSizes
	if cmd.bytes > 0 {
		sizes = []int64{cmd.bytes}
	}
	direction := Encrypt
	if cmd.decrypt {
		direction = Decrypt
	}
	for _, name := range cmd.names {
		a, ok := parseAlg(name)
		if !ok {
			continue
		}
		for _, n := range sizes {
			rd.recipe(l, "openssl speed", cmd.text, a, Recipe{BlockBytes: n, Direction: direction, Threads: cmd.threads})
		}
	}
}

// cryptsetupRecipe notes a command line of cryptsetup benchmark: the cipher that
// it names, or those of the tool's own list that GELI has, too.
func (rd *reader) cryptsetupRecipe(l line, words []string, text string) {
	var list []algorithm
	bits := 0
	for i, w := range words {
		flag, v, glued := strings.Cut(w, "=")
		if !glued && i+1 < len(words) {
			v = words[i+1]
		}
		switch flag {
		case "-c", "--cipher":
			if a, ok := parseAlg(v); ok {
				list = append(list, a)
			}
		case "-s", "--key-size":
			if n, ok := integer(v); ok && n < 1<<16 {
				bits = int(n)
			}
		}
	}
	if len(list) == 0 {
		list = []algorithm{
			{cipher: "AES", mode: "CBC", keyBits: 128}, {cipher: "AES", mode: "CBC", keyBits: 256},
			{cipher: "AES", mode: "XTS", keyBits: 128}, {cipher: "AES", mode: "XTS", keyBits: 256},
		}
	} else if bits > 0 {
		if list[0].mode == "XTS" {
			bits /= 2
		}
		list[0].keyBits = bits
	}
	for _, a := range list {
		for _, d := range []Direction{Encrypt, Decrypt} {
			rd.recipe(l, "cryptsetup benchmark", text, a, Recipe{Direction: d, Threads: 1})
		}
	}
}

// onetimeRecipe notes a command line of gelibench onetime, whose lists make a
// matrix. A case is dd's: a provider with sectors, read or written in requests.
func (rd *reader) onetimeRecipe(l line, words []string, text string) {
	value := map[string]string{"e": "aes-xts", "l": "0", "s": "0", "bs": "1m", "op": "read", "workers": "1", "a": ""}
	for i, w := range words {
		name, v, glued := strings.Cut(strings.TrimLeft(w, "-"), "=")
		if !strings.HasPrefix(w, "-") {
			continue
		}
		if _, ok := value[name]; ok && glued {
			value[name] = v
		} else if ok && i+1 < len(words) {
			value[name] = words[i+1]
		} else if len(name) > 1 && strings.Contains("els", name[:1]) && !strings.HasPrefix(w, "--") && value[name] == "" {
			value[name[:1]] = name[1:] // -s4096
		}
	}
	if value["op"] == "both" {
		value["op"] = "read,write"
	}
	for e := range strings.SplitSeq(value["e"], ",") {
		a, ok := parseAlg(strings.ToLower(e))
		if !ok {
			continue
		}
		if a.mode == "" && a.cipher == "AES" {
			a.mode = "XTS"
		} else if a.mode == "" {
			a.mode = "CBC"
		}
		a.auth = strings.ToUpper(value["a"])
		for bits := range strings.SplitSeq(value["l"], ",") {
			n, ok := integer(bits)
			if !ok || n > 4096 {
				continue
			}
			a.keyBits = int(n)
			if n == 0 {
				a.keyBits = map[string]int{"AES": 128, "Camellia": 128, "Blowfish": 128, "3DES": 192}[a.cipher]
			}
			for s := range strings.SplitSeq(value["s"], ",") {
				sector, ok := expand(s)
				if ok && sector == 0 {
					sector = 512
				}
				for b := range strings.SplitSeq(value["bs"], ",") {
					request, ok2 := ddSize(b)
					for op := range strings.SplitSeq(value["op"], ",") {
						for w := range strings.SplitSeq(value["workers"], ",") {
							workers, ok3 := integer(w)
							d, ok4 := map[string]Direction{"read": Reading, "write": Writing}[op]
							if ok && ok2 && ok3 && ok4 && workers > 0 && workers < 1<<16 {
								rd.recipe(l, "dd", text, a, Recipe{Sector: sector, BlockBytes: request, Direction: d, Threads: int(workers)})
							}
						}
					}
				}
			}
		}
	}
}
