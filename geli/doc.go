// Package geli makes devices that encrypt and decrypt exactly as FreeBSD's
// GELI (geom_eli) does.
//
// # Mental model
//
// A [Provider] is anything with sectors that can be read and written at an
// offset. A [Device] lies on top of one and is a Provider itself: what it is
// told to write it encrypts and hands down, what it reads it decrypts in
// place. [Onetime] makes a device with a random key, as geli onetime does;
// [New] makes one with a key and metadata that are known.
//
// A [Worker] is one thread's way through a device, like one g_eli worker of
// the kernel: it owns a cipher session, so its requests take no lock and
// allocate nothing.
//
// # Keys
//
//	master key, 128 bytes = IV-Key (64) || Data-Key (64)
//	ekey0      = Data-Key
//	base       = ekey0 in version 7, IV-Key in versions 5 and 6
//	data key n = HMAC-SHA512(base, "ekey" || le64(n)), one for 2^20 sectors
//	             (versions 0 to 4: ekey0 for every sector)
//	tweak      = le64(byte offset) || 0^8                     for XTS
//	IV         = SHA-256(IV-Key || le64(byte offset))[:16]    for CBC
//
// # Paths
//
// The kernel hands its driver one sector at a time and has the key expanded
// again for each: [PathGELI]. A processor could do more with long runs of
// sectors under a key schedule that is kept: [PathBatch]. Both give the same
// bytes.
//
// # Differences from the kernel
//
//   - Data keys are derived when first needed, through an LRU of 8192 as the
//     kernel's, but a worker remembers its current key and looks into the LRU
//     only when the key number changes; the kernel locks it twice a sector.
//   - A request is split in pieces where the provider allows that, so that the
//     data stays in the processor's caches; the kernel reads and writes whole
//     requests.
//   - An engine makes only those key schedules that a direction needs; the
//     kernel's drivers make both.
package geli
