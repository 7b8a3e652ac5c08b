// Command gelibench measures disk encryption in the manner of FreeBSD's GELI.
package main

import (
	"os"

	"gelibench/cmd/internal/app"
)

func main() { os.Exit(app.Main(os.Args, app.System())) }
