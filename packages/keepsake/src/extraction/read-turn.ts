import type { Candidate } from '../memories/candidate.ts'
import type { Request } from './extractor.ts'
import type { Finding } from './finding.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Turn } from '../turns/turn.ts'
import type { TimeResolver } from '../text/time/resolve-time.ts'

/** What rules read in a sentence of a turn. */
export interface SentenceReading {
  readonly findings: readonly Finding[]
  readonly forget: { readonly about: string | null } | null
  /** Whether the sentence corrects something: "actually", "I meant", 其实. */
  readonly isCorrection: boolean
}

/** Reads the sentences of a language. `who` is how the speaker is called in a statement. */
export interface SentenceReader {
  readonly language: 'en' | 'zh'
  /** @param before the sentence before it in the turn, whose subject it may go on with */
  read(sentence: string, who: string, before?: string | null): SentenceReading
  /** What the user would have said themself, had they answered a yes-or-no question in full; `null` for others. */
  answerInFull(question: string): string | null
  /** How the user, or the agent, is called without a name. */
  readonly unnamed: { readonly user: string; readonly agent: string }
}

export function whoSpeaks(turn: Turn): string {
  return turn.speaker ?? (turn.role === 'agent' ? 'agent' : 'user')
}

const NO_SIGNALS = { arousal: null, surprise: null, importance: null }

/** Facts and requests of what was read, with their evidence and times. */
export function toExtraction(
  reading: SentenceReading,
  turn: Turn,
  evidence: readonly Evidence[],
  language: 'en' | 'zh',
  resolveTime: TimeResolver,
): { candidates: Candidate[]; requests: Request[] } {
  const candidates: Candidate[] = []
  const requests: Request[] = []
  const own = evidence.find((one) => one.turn === turn.id) ?? { turn: turn.id, quote: null }
  if (reading.forget !== null) requests.push({ kind: 'forget', about: reading.forget.about, evidence: own })
  for (const finding of reading.findings) {
    if (finding.state === 'ended') {
      const { key, value } = finding
      requests.push({ kind: 'end', about: value ?? finding.text, key, value, at: turn.at, evidence: own })
      continue
    }
    const candidate = toCandidate(finding, turn, evidence, language, resolveTime)
    if (reading.isCorrection) requests.push({ kind: 'change', candidate })
    else candidates.push(candidate)
  }
  return { candidates, requests }
}

function toCandidate(
  finding: Finding,
  turn: Turn,
  evidence: readonly Evidence[],
  language: 'en' | 'zh',
  resolveTime: TimeResolver,
): Candidate {
  const { key, value, text, type } = finding
  const happened = finding.isEvent
    ? resolveTime(evidence.map((one) => one.quote ?? '').join(' '), turn, language)
    : null
  // What happened cannot lie ahead of the turn that tells it: "on Friday" then means another Friday.
  const validFrom = happened !== null && happened <= turn.at ? happened : turn.at
  const validUntil = finding.state === 'over' ? turn.at : null
  const subject = finding.about ?? whoSpeaks(turn)
  return {
    form: 'fact',
    type,
    subject,
    text,
    key,
    value,
    level: 0,
    evidence,
    validFrom,
    validUntil,
    signals: NO_SIGNALS,
  }
}
