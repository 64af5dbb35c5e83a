/**
 * Computes the constants that bring arousal, surprise and importance of the embedded models to one mean and
 * range, from conversations passed in: JSON lines of turns with `session`, `role` (`user` or `agent`) and `text`.
 *
 *   node packages/training/src/calibrate-signals.ts [--write] FILE…
 *
 * Prints the constants; `--write` stores them as `packages/keepsake/data/signal-calibration.json`. What ships is
 * made from the project's own conversations in `packages/cli/data/demo/`, and from nothing else.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { embeddedArousal } from '../../keepsake/src/importance/arousal.ts'
import {
  calibrateSignal,
  SURPRISE_CAP_QUANTILE,
  type SignalCalibration,
} from '../../keepsake/src/importance/normalise-signals.ts'
import { standInImportance } from '../../keepsake/src/importance/stand-in-importance.ts'
import { embeddedSurprise } from '../../keepsake/src/importance/surprise.ts'

const TARGET = fileURLToPath(new URL('../../keepsake/data/signal-calibration.json', import.meta.url))
const arousal = embeddedArousal()
const surprise = embeddedSurprise()
const importance = standInImportance()

interface Turn {
  readonly session: string
  readonly role: string
  readonly text: string
}

interface Utterance {
  readonly text: string
  readonly previous: string
  readonly history: readonly string[]
}

const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
if (files.length === 0) throw new Error('Name at least one file of turns (JSON lines).')
const utterances = files.flatMap((file) => readUtterances(readFileSync(file, 'utf8')))
const calibration: SignalCalibration = {
  source: `${arousal.id}, ${surprise.id}, stand-in importance; ${utterances.length} user turns of ${files.map((file) => basename(file)).join(', ')}`,
  arousal: calibrateSignal(arousal.arousal(utterances.map(({ text }) => text))),
  surprise: calibrateSignal(
    utterances.map(({ text, ...context }) => surprise.surprise(text, context)),
    { capQuantile: SURPRISE_CAP_QUANTILE },
  ),
  importance: calibrateSignal(utterances.map(({ text }) => importance.importance(text))),
}
const json = `${JSON.stringify(calibration, undefined, 2)}\n`
if (process.argv.includes('--write')) writeFileSync(TARGET, json)
console.log(json)

/** The user's turns of one conversation, each with the agent's turn before it and all that was said before. */
function readUtterances(text: string): Utterance[] {
  const history: string[] = []
  const found: Utterance[] = []
  let session: string | undefined
  let previous = ''
  for (const turn of text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseTurn)) {
    if (turn.session !== session) previous = ''
    session = turn.session
    if (turn.role !== 'user') {
      previous = turn.text
      continue
    }
    found.push({ text: turn.text, previous, history: [...history] })
    history.push(turn.text)
  }
  return found
}

function parseTurn(line: string): Turn {
  const turn: Partial<Record<keyof Turn, unknown>> = JSON.parse(line)
  const { session, role, text } = turn
  if (typeof session !== 'string' || typeof role !== 'string' || typeof text !== 'string') {
    throw new Error(`Not a turn: ${line}`)
  }
  return { session, role, text }
}
