// Package measure takes samples. The request loop is one Sampler; everything
// above it works on any Sampler.
package measure

import (
	"context"
	"time"

	"gelibench/results"
)

// Want bounds one sample. Requests counts all workers together; 0 means no
// bound. Time 0 means no bound. One of the two must be set; whichever comes
// first ends the sample, but a sample holds at least one request.
//
// LeadIn asks for work of the same kind right before the sample, which is not
// counted in it: for so long, but at least one request. The sample says how
// much it was; a sampler that cannot do it leaves that at 0.
type Want struct {
	Requests int64
	Time     time.Duration
	LeadIn   time.Duration
}

// Sampler takes one sample of one case. When ctx ends, the sample ends at the
// next request and is returned, with what was moved, beside ctx's error.
type Sampler interface {
	Sample(ctx context.Context, want Want) (results.Sample, error)
}
