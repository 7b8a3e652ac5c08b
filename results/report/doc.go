// Package report reads other tools' figures out of pasted text: mails, tickets,
// pastes and logs that hold the output of dd, openssl speed, cryptsetup
// benchmark, cryptotest, fio and some twenty more, several in one file, quoted,
// wrapped and cut off as such texts are.
//
// A text goes through four stages:
//
//	lines    physical lines, each of bounded length (lines.go)
//	unwrap   undoes what mails, pastes and web pages do to a line, and notes
//	         how deep it is quoted (unwrap.go, quoted.go, reflow.go)
//	reader   keeps what was said so far (commands, processors, headings) and
//	         offers each line to one parser after the other (reader.go and one
//	         file a format)
//	finish   joins the two printings of one run, numbers repeated runs, flags
//	         what can't be true (finish.go)
//
// The rule in all of them: what isn't stated stays unknown, a broken row is a
// Warning and never a number, and whatever was repaired says so in the Result.
//
// A verb that shows a file calls Read, writes Report.Results by Table or CSV,
// and Report.Warnings and Report.Providers to the terminal's other side. With
// fits it calls FitResults and FitTable. For comparisons Report.Runs gives
// series with stated rates; Result.Comparable says which may be compared.
package report
