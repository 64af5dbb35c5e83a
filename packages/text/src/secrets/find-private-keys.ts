// Finds private keys in a text. Called by mask-secrets.ts.
import type { SecretSpan } from './secret-span.ts'

const FRAME = /-{2,}\s?(BEGIN|END)[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-{2,}/g
/** Matches a line of a key, quoted or not: base64, a header, or escaped line ends. */
const KEY_LINE =
  /^[\s>|│#*/\\rn"'-]*(?:[A-Za-z0-9+/=]{8,}(?:\\+[rn]|["',\s\\+])*)+$|^[\s>|│#]*(?:Proc-Type|DEK-Info|Version|Comment)\s?:|^[\s>|│#"'\\]*$/
/** Matches the start of a key body without its frame. */
const BODY =
  /(?<![A-Za-z0-9+/])(?:MI[IGCEHJ][A-Za-z0-9+/]{2}|MC4CAQAwBQYDK2V|b3BlbnNzaC1rZXkt)[A-Za-z0-9+/=]{30,}/g
/** Maximum characters searched after an unclosed frame. */
const MOST_CHARACTERS = 20_000

/** Finds private keys by their frame: whole, truncated, on one line, or with a quote mark on each line. */
export function findPrivateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  if (text.includes('PRIVATE KEY')) spans.push(...framedIn(text))
  if (text.includes('Private-Lines:')) spans.push(...puttyIn(text))
  for (const { 0: body, index } of text.matchAll(BODY)) {
    if (isMixed(body)) spans.push({ start: index, end: endOfKey(text, index + body.length), kind: 'key' })
  }
  return spans
}

function isMixed(body: string): boolean {
  return /\d/.test(body) && /[a-z]/.test(body) && /[A-Z]/.test(body)
}

function framedIn(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  let open: { readonly start: number; readonly end: number } | null = null
  let behind = 0
  const close = (end: number): void => {
    if (open !== null) spans.push({ start: open.start, end, kind: 'key' })
    behind = end
    open = null
  }
  for (const { 0: frame, 1: which, index } of text.matchAll(FRAME)) {
    const end = index + frame.length
    if (which === 'BEGIN') {
      if (open !== null) close(endOfKey(text, open.end))
      open = { start: index, end }
    } else if (open !== null && index - open.end <= MOST_CHARACTERS) close(end)
    else {
      if (open !== null) close(endOfKey(text, open.end))
      spans.push({ start: startOfKey(text, index, behind), end, kind: 'key' })
      behind = end
    }
  }
  if (open !== null) close(endOfKey(text, open.end))
  return spans
}

/** Returns the end of the last non-blank line that looks like part of a key. */
function endOfKey(text: string, from: number): number {
  let end = from
  for (let start = from; start < Math.min(text.length, from + MOST_CHARACTERS);) {
    const stop = text.indexOf('\n', start)
    const lineEnd = stop < 0 ? text.length : stop
    const line = text.slice(start, lineEnd)
    if (lineEnd - start > MOST_CHARACTERS || !KEY_LINE.test(line.trimEnd())) {
      const run = /^[\s>\\rn]*[A-Za-z0-9+/=]{16,}/.exec(line.slice(0, MOST_CHARACTERS))
      return run === null ? end : start + run[0].length
    }
    if (/[A-Za-z0-9]/.test(line)) end = start + line.trimEnd().length
    start = lineEnd + 1
  }
  return end
}

function startOfKey(text: string, before: number, least: number): number {
  let start = before
  for (let end = before - 1; end > Math.max(least, before - MOST_CHARACTERS);) {
    const begin = Math.max(least, text.lastIndexOf('\n', end - 1) + 1)
    const line = text.slice(begin, end)
    if (!/^[\s>|│#]*[A-Za-z0-9+/=]{8,}\s*$/.test(line)) break
    start = begin
    end = begin - 1
  }
  return start
}

function puttyIn(text: string): SecretSpan[] {
  return [...text.matchAll(/Private-Lines:\s*\d+/g)]
    .map(({ 0: label, index }) => {
      const start = index + label.length
      return { start, end: Math.max(start, endOfKey(text, start)), kind: 'key' as const }
    })
    .filter(({ start, end }) => end > start)
}
