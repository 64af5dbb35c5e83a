import type { SecretSpan } from './mask-secrets.ts'

const FRAME = /-{2,}\s?(BEGIN|END)[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-{2,}/g
/** A line of such a key, whatever quotes it: base64, a header, or escaped ends of lines between them. */
const KEY_LINE =
  /^[\s>|│#*/\\rn"'-]*(?:[A-Za-z0-9+/=]{8,}(?:\\+[rn]|["',\s\\+])*)+$|^[\s>|│#]*(?:Proc-Type|DEK-Info|Version|Comment)\s?:|^[\s>|│#"'\\]*$/
/** How the body of a private key begins, without the frame around it. */
const BODY =
  /(?<![A-Za-z0-9+/])(?:MI[IGCEHJ][A-Za-z0-9+/]{2}|MC4CAQAwBQYDK2V|b3BlbnNzaC1rZXkt)[A-Za-z0-9+/=]{30,}/g
/** Looked at behind a frame that nothing closes. */
const MOST_CHARACTERS = 20_000

/** Private keys of every kind, by their frame: whole, cut off at either end, in one line, or with marks of quoting before each line. */
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

/** Lines that look like those of a key, from a place on: the end of the last that holds something. */
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
