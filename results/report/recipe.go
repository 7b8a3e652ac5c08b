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
