// Finds private keys in a text. Called by mask-secrets.ts.
import type { SecretSpan } from './secret-span.ts'

/** Matches the first or last line of a key: `-----BEGIN RSA PRIVATE KEY-----`, `-----END PRIVATE KEY-----`. */
const FRAME = /-{2,}\s?(?<edge>BEGIN|END)[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-{2,}/g
/** Matches a line of base64, which may be quoted, be a string of source code, or hold escaped line ends: `> MIIEow…\n`. */
const BASE64_LINE = /^[\s>|│#*/\\rn"'-]*(?:[A-Za-z0-9+/=]{8,}(?:\\+[rn]|["',\s\\+])*)+$/
/** Matches a header of an encrypted or PGP key. */
const HEADER_LINE = /^[\s>|│#]*(?:Proc-Type|DEK-Info|Version|Comment)\s?:/
const EMPTY_LINE = /^[\s>|│#"'\\]*$/
/** Matches a key without its frame by its first bytes in base64: ASN.1 (`MII…`), Ed25519 (`MC4…`), or “openssh-key-” (`b3B…`). */
const BODY =
  /(?<![A-Za-z0-9+/])(?:MI[IGCEHJ][A-Za-z0-9+/]{2}|MC4CAQAwBQYDK2V|b3BlbnNzaC1rZXkt)[A-Za-z0-9+/=]{30,}/g
/** Maximum characters of a key. A key of 16,384 bits takes 13,000. */
const MAX_KEY_CHARACTERS = 20_000

/** Finds private keys by their frame: whole, truncated, on one line, or with a quote mark on each line. */
export function findPrivateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  if (text.includes('PRIVATE KEY')) spans.push(...findFramedKeys(text))
  if (text.includes('Private-Lines:')) spans.push(...findPuttyKeys(text))
  for (const { 0: body, index } of text.matchAll(BODY)) {
    if (isMixed(body)) spans.push({ start: index, end: endOfKey(text, index + body.length), kind: 'key' })
  }
  return spans
}

function isMixed(body: string): boolean {
  return /\d/.test(body) && /[a-z]/.test(body) && /[A-Z]/.test(body)
}

/** Finds keys by their frames. If a `BEGIN` or an `END` stands alone, the lines below or above it decide where the key ends. */
function findFramedKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  let begin: { readonly start: number; readonly end: number } | null = null
  let endOfLastKey = 0
  const addKey = (start: number, end: number): void => {
    spans.push({ start, end, kind: 'key' })
    endOfLastKey = end
    begin = null
  }
  for (const { 0: frame, index, groups } of text.matchAll(FRAME)) {
    const isEnd = groups?.['edge'] === 'END'
    const frameEnd = index + frame.length
    if (isEnd && begin !== null && index - begin.end <= MAX_KEY_CHARACTERS) {
      addKey(begin.start, frameEnd)
      continue
    }
    // The earlier `BEGIN` has no `END`.
    if (begin !== null) addKey(begin.start, endOfKey(text, begin.end))
    if (isEnd) addKey(startOfKey(text, index, endOfLastKey), frameEnd)
    else begin = { start: index, end: frameEnd }
  }
  if (begin !== null) addKey(begin.start, endOfKey(text, begin.end))
  return spans
}

/** Returns the end of the last non-blank line after `from` that looks like part of a key. */
function endOfKey(text: string, from: number): number {
  let end = from
  const searchEnd = Math.min(text.length, from + MAX_KEY_CHARACTERS)
  for (let start = from; start < searchEnd;) {
    const lineFeed = text.indexOf('\n', start)
    const lineEnd = lineFeed < 0 ? text.length : lineFeed
    const line = text.slice(start, lineEnd)
    if (lineEnd - start > MAX_KEY_CHARACTERS || !isKeyLine(line.trimEnd())) {
      // The rest of the key may stand at the start of a line that goes on with other words.
      const rest = /^[\s>\\rn]*[A-Za-z0-9+/=]{16,}/.exec(line.slice(0, MAX_KEY_CHARACTERS))
      return rest === null ? end : start + rest[0].length
    }
    if (/[A-Za-z0-9]/.test(line)) end = start + line.trimEnd().length
    start = lineEnd + 1
  }
  return end
}

function isKeyLine(line: string): boolean {
  return BASE64_LINE.test(line) || HEADER_LINE.test(line) || EMPTY_LINE.test(line)
}

/** Returns the start of the first of the base64 lines above `frameStart`, but never an index within the key before. */
function startOfKey(text: string, frameStart: number, endOfLastKey: number): number {
  let start = frameStart
  const searchStart = Math.max(endOfLastKey, frameStart - MAX_KEY_CHARACTERS)
  for (let lineEnd = frameStart - 1; lineEnd > searchStart;) {
    const lineStart = Math.max(endOfLastKey, text.lastIndexOf('\n', lineEnd - 1) + 1)
    const line = text.slice(lineStart, lineEnd)
    if (!/^[\s>|│#]*[A-Za-z0-9+/=]{8,}\s*$/.test(line)) break
    start = lineStart
    lineEnd = lineStart - 1
  }
  return start
}

/** Finds keys in files of PuTTY, where a number of lines precedes the key: `Private-Lines: 14`. */
function findPuttyKeys(text: string): SecretSpan[] {
  return [...text.matchAll(/Private-Lines:\s*\d+/g)]
    .map(({ 0: label, index }) => {
      const start = index + label.length
      return { start, end: Math.max(start, endOfKey(text, start)), kind: 'key' as const }
    })
    .filter(({ start, end }) => end > start)
}
