/**
 * Times the models inside the package: what the first call costs (reading the files) and what each call costs
 * once warm, on turns passed in as JSON lines with a `text` each.
 *
 *   node packages/training/src/measure-embedded-models.ts FILE… | jq
 */
import { readFileSync } from 'node:fs'
import { embeddedArousal } from '../../keepsake/src/importance/arousal.ts'
import { embeddedSurprise, HISTORY_LIMIT } from '../../keepsake/src/importance/surprise.ts'
import { embeddedWordVectors } from '@keepsake/text'

const UNMEASURED = 100
const CALLS = 2000

const texts = process.argv
  .slice(2)
  .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').map(textOf))
if (texts.length === 0) throw new Error('Name at least one file of turns (JSON lines).')
const embedder = embeddedWordVectors()
const arousal = embeddedArousal()
const surprise = embeddedSurprise()
const history = Array.from({ length: HISTORY_LIMIT }, (_, at) => texts[at % texts.length] ?? '')

const before = process.memoryUsage()
const result = {
  node: process.version,
  texts: texts.length,
  meanCharacters: texts.reduce((sum, text) => sum + text.length, 0) / texts.length,
  firstEmbedMs: timeOnce(() => embedder.embedNow('hello')),
  firstArousalMs: timeOnce(() => arousal.arousal(['hello'])),
  firstSurpriseMs: timeOnce(() => surprise.surprise('hello', { previous: '', history: [] })),
  loadedMegabytes: megabytesSince(before),
  embedUs: timeCalls((text) => embedder.embedNow(text)),
  arousalUs: timeCalls((text) => arousal.arousal([text])),
  surpriseUs: timeCalls((text) => surprise.surprise(text, { previous: 'How was your day?', history })),
}
console.log(JSON.stringify(result))

function textOf(line: string): string {
  const turn: { text?: unknown } = JSON.parse(line)
  if (typeof turn.text !== 'string') throw new Error(`Not a turn: ${line}`)
  return turn.text
}

function timeOnce(call: () => unknown): number {
  const start = performance.now()
  call()
  return round(performance.now() - start)
}

/** Microseconds a call: the median and the 95th percentile. */
function timeCalls(call: (text: string) => unknown): { p50: number; p95: number } {
  const times: number[] = []
  for (let at = 0; at < UNMEASURED + CALLS; at++) {
    const text = texts[at % texts.length] ?? ''
    const start = performance.now()
    call(text)
    if (at >= UNMEASURED) times.push((performance.now() - start) * 1000)
  }
  times.sort((left, right) => left - right)
  return { p50: round(times[CALLS / 2] ?? 0), p95: round(times[Math.floor(CALLS * 0.95)] ?? 0) }
}

function megabytesSince(start: NodeJS.MemoryUsage): number {
  const now = process.memoryUsage()
  return round((now.heapUsed - start.heapUsed + now.external - start.external) / 2 ** 20)
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
