import type { Candidate } from '../memories/candidate.ts'
import type { Extraction, Extractor, Request, Segment } from './extractor.ts'
import { saysYes } from './grounding/ground-candidate.ts'
import { splitSentences } from '../text/split-sentences.ts'
import type { Turn } from '../turns/turn.ts'
import { maskUnspoken } from '../text/mask-unspoken.ts'
import { englishReader } from './persona-rules-en.ts'
import { chineseReader } from './persona-rules-zh.ts'
import { toExtraction, type SentenceReader } from './read-turn.ts'
import { loadTimeResolver, type TimeResolver } from '../text/time/resolve-time.ts'

/** A turn's start is read; what is longer is a pasted text, not talk. */
const MOST_CHARACTERS = 20_000
const HAN = /\p{Script=Han}/gu
const LATIN_WORD = /\p{Script=Latin}+/gu

/** What an agent may be quoted on about itself: who it is, not what it offers or feels like. */
const AGENT_KEYS = new Set([
  'name',
  'age',
  'birthday',
  'origin',
  'residence',
  'occupation',
  'background',
  'partner',
  'parents',
  'siblings',
  'children',
  'pets',
  'form-of-address',
])
const ARTIFICIAL =
  /\b(?:ai|language model|assistant|chatbot|chat bot|bot|virtual|openai|program(?:med)?)\b|人工智能|机器人|语言模型|助手|虚拟|程序/i

/**
 * Facts about who speaks, by rules: English by part of speech, Chinese by the frames of its statements. Reads each
 * person's own first-person statements and what they confirm of an agent's question; no questions, hypotheses,
 * quotations or *actions*. Statements are faithful to the words; a joke is taken as meant. Explicit requests
 * ("forget that …", "I no longer …") come with them.
 *
 * Facts are about the speaker's name where turns carry one, else `user` or `agent`.
 *
 * @example
 * await personaRules().extract(segment) // candidates: 'The user lives in Lyon.'
 */
export function personaRules(): Extractor {
  return { id: 'persona-rules/1', extract }
}

async function extract(segment: Segment, options: { abortSignal?: AbortSignal } = {}): Promise<Extraction> {
  const readers = new Readers()
  const candidates: Candidate[] = []
  const requests: Request[] = []
  for (const [at, turn] of segment.turns.entries()) {
    options.abortSignal?.throwIfAborted()
    if (turn.role === 'other') continue
    const read = await readTurn(turn, segment.turns[at - 1], readers)
    candidates.push(...read.candidates)
    requests.push(...read.requests)
  }
  return { candidates: withoutRepeats(candidates), requests }
}

/** Readers by language, loaded when a turn needs them. */
class Readers {
  #english: SentenceReader | undefined
  #time: TimeResolver | undefined
  readonly #chinese = chineseReader()

  async of(text: string): Promise<SentenceReader> {
    const han = text.match(HAN)?.length ?? 0
    const latin = text.match(LATIN_WORD)?.length ?? 0
    if (han > latin) return this.#chinese
    return (this.#english ??= await englishReader())
  }

  async time(): Promise<TimeResolver> {
    return (this.#time ??= await loadTimeResolver())
  }
}

async function readTurn(
  turn: Turn,
  before: Turn | undefined,
  readers: Readers,
): Promise<{ candidates: Candidate[]; requests: Request[] }> {
  const text = turn.text.slice(0, MOST_CHARACTERS)
  if (
    !/\b(?:i|im|ive|my|me|we|our|forget|delete|erase|remove|remember|store|save|drop|strike|scratch|pretend|record|keep|mention|bring|private|confidential)\b|[我忘删记提密存]/i.test(
      text,
    ) &&
    before?.role !== 'agent'
  )
    return { candidates: [], requests: [] }
  const reader = await readers.of(text)
  const who = turn.speaker ?? (turn.role === 'agent' ? reader.unnamed.agent : reader.unnamed.user)
  const found: { candidates: Candidate[]; requests: Request[] } = { candidates: [], requests: [] }
  const collect = (
    sentence: string,
    evidence: Candidate['evidence'],
    preceding: string | null = null,
  ): void => {
    const { candidates, requests } = toExtraction(
      reader.read(sentence, who, preceding),
      turn,
      evidence,
      reader.language,
      resolve,
    )
    found.candidates.push(...candidates)
    found.requests.push(...requests)
  }
  const resolve = await readers.time()
  const sentences = splitSentences(maskUnspoken(text))
  for (const [at, { text: sentence, start }] of sentences.entries()) {
    const quote = text.slice(start, start + sentence.length)
    collect(sentence, [{ turn: turn.id, quote }], sentences[at - 1]?.text)
  }
  if (turn.role === 'agent')
    return { candidates: found.candidates.filter((one) => isOfAgent(one, turn)), requests: [] }
  const confirmed = confirmedQuestion(turn, before, reader)
  if (confirmed !== null) collect(confirmed.statement, confirmed.evidence)
  return found
}

function isOfAgent(candidate: Candidate, turn: Turn): boolean {
  return candidate.key !== null && AGENT_KEYS.has(candidate.key) && !ARTIFICIAL.test(turn.text)
}

/** "So you live in Lyon?" – "Yes." */
function confirmedQuestion(
  turn: Turn,
  before: Turn | undefined,
  reader: SentenceReader,
): { statement: string; evidence: Candidate['evidence'] } | null {
  if (turn.role !== 'user' || before?.role !== 'agent' || !saysYes(turn.text)) return null
  const question = splitSentences(maskUnspoken(before.text)).at(-1)
  const statement = question === undefined ? null : reader.answerInFull(question.text)
  const yes = splitSentences(turn.text)[0]
  if (question === undefined || statement === null || yes === undefined) return null
  const quote = before.text.slice(question.start, question.start + question.text.length)
  return {
    statement,
    evidence: [
      { turn: before.id, quote },
      { turn: turn.id, quote: yes.text },
    ],
  }
}

/** The same statement of a segment once, with the first evidence. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ subject, key, text }) => {
    const name = JSON.stringify([subject, key, text.toLowerCase()])
    return seen.has(name) ? false : seen.add(name) !== undefined
  })
}
