import { open } from 'node:fs/promises'

/** How a journal (`-wal`) ends: with what was written last whole, or in the middle of a write. */
export interface JournalEnd {
  /** Whole pages since the journal was begun. */
  readonly frames: number
  /** Whether a write of the same run follows that is not whole, as a cut or damaged disk leaves it. */
  readonly isTorn: boolean
}

/** https://www.sqlite.org/fileformat.html, 4.1 and 4.2. */
const HEADER = 32
const FRAME_HEADER = 24
const MAGIC = 0x377f0682
const SALTS = { from: 16, to: 24 }

/** Reads a journal as SQLite does when it recovers one: it takes every whole page, and is silent on what follows. `null`: there is none. */
export async function readJournal(path: string): Promise<JournalEnd | null> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return null
  try {
    const header = Buffer.alloc(HEADER)
    const { bytesRead } = await file.read(header, 0, HEADER, 0)
    if (bytesRead === 0) return null
    if (bytesRead < HEADER || (header.readUInt32BE(0) & 0xfffffffe) >>> 0 !== MAGIC)
      return { frames: 0, isTorn: true }
    const sum = checksum(header.readUInt32BE(0) === MAGIC)
    let state = sum([0, 0], header.subarray(0, 24))
    if (state[0] !== header.readUInt32BE(24) || state[1] !== header.readUInt32BE(28))
      return { frames: 0, isTorn: true }
    const frame = Buffer.alloc(FRAME_HEADER + header.readUInt32BE(8))
    for (let frames = 0; ; frames++) {
      const { bytesRead: length } = await file.read(frame, 0, frame.length, HEADER + frames * frame.length)
      if (!isOfRun(frame, header, length)) return { frames, isTorn: false }
      if (length < frame.length) return { frames, isTorn: true }
      state = sum(sum(state, frame.subarray(0, 8)), frame.subarray(FRAME_HEADER))
      if (state[0] !== frame.readUInt32BE(16) || state[1] !== frame.readUInt32BE(20))
        return { frames, isTorn: true }
    }
  } finally {
    await file.close()
  }
}

/** What an earlier run of the journal left has other salts. */
function isOfRun(frame: Buffer, header: Buffer, length: number): boolean {
  if (length === 0) return false
  if (length < 16) return true
  return frame.compare(header, SALTS.from, SALTS.to, 8, 16) === 0
}

type Sums = readonly [number, number]

/** SQLite's own, over pairs of words, in the byte order that the journal names. */
function checksum(isLittleEndian: boolean): (sums: Sums, bytes: Buffer) => Sums {
  return ([first, second], bytes) => {
    let one = first
    let other = second
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      one = (one + (isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)) + other) >>> 0
      other = (other + (isLittleEndian ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4)) + one) >>> 0
    }
    return [one, other]
  }
}
