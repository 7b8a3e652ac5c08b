package results

import "testing"

func TestWorst(t *testing.T) {
	for _, test := range []struct {
		grades []Grade
		want   Grade
	}{
		{nil, ""},
		{[]Grade{"", ""}, ""},
		{[]Grade{"", Good}, Good},
		{[]Grade{Fair, Good, ""}, Fair},
		{[]Grade{Good, Unreliable, Fair}, Unreliable},
	} {
		if got := Worst(test.grades...); got != test.want {
			t.Errorf("Worst(%q) = %q, want %q", test.grades, got, test.want)
		}
		var findings []Finding
		for _, g := range test.grades {
			findings = append(findings, Finding{Name: "x", Grade: g})
		}
		if got := WorstOf(findings); got != test.want {
			t.Errorf("WorstOf(%q) = %q, want %q", test.grades, got, test.want)
		}
	}
	if Good.WorseThan(Good) || Good.WorseThan(Fair) || !Fair.WorseThan(Good) {
		t.Error("the grades are out of order")
	}
}
