import type { Candidate } from '../../memories/candidate.ts'
import type { Evidence } from '../../memories/evidence.ts'
import { loadTimeResolver } from '../../text/time/resolve-time.ts'
import type { Turn } from '../../turns/turn.ts'
import { whoSpeaks } from '../../turns/who-speaks.ts'
import type { Request } from '../extractor.ts'
import type { Finding } from './matching/read-facts.ts'

/** What comes of a finding: a candidate, or a request to end or change what is known. */
export type Drawn = Candidate | Request

/** Where a finding was read. */
export interface Told {
  readonly turn: Turn
  readonly evidence: readonly Evidence[]
  readonly language: 'en' | 'zh'
  readonly isCorrection: boolean
}

const NO_SIGNALS = { arousal: null, surprise: null, importance: null }

/** Gives a finding its evidence and times. Nothing of it is shared with what else the words tell. */
export async function drawFrom(
  finding: Finding,
  { turn, evidence, language, isCorrection }: Told,
): Promise<Drawn> {
  const { key, value, text, type, state } = finding
  if (state === 'ended') {
    const own = evidence.find((one) => one.turn === turn.id) ?? { turn: turn.id, quote: null }
    return { kind: 'end', about: value, key, value, at: turn.at, evidence: { ...own } }
  }
  const quotes = evidence.map((one) => one.quote ?? '').join(' ')
  const happened = finding.happened ? (await loadTimeResolver())(quotes, turn, language) : null
  const candidate: Candidate = {
    form: 'fact',
    type,
    subject: whoSpeaks(turn),
    text,
    key,
    value,
    level: 0,
    evidence: evidence.map((one) => ({ ...one })),
    // What happened cannot lie ahead of the turn that tells it: "on Friday" then means another Friday.
    validFrom: happened !== null && happened <= turn.at ? happened : turn.at,
    validUntil: state === 'over' ? turn.at : null,
    signals: { ...NO_SIGNALS },
  }
  return isCorrection ? { kind: 'change', candidate } : candidate
}
