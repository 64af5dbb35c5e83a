/**
 * Draws facts that the persona rules read in real conversations, at random, for a person to judge.
 *
 *     node packages/training/src/sample-facts.ts --seed 1 --count 150 --language en
 *
 * Reads the data sets under KEEPSAKE_DATA (default ../shared/data). Each line is the statement, its key and value,
 * and the words it rests on. How to judge, and what came out: docs/benchmarks/README.md.
 */
import { parseArgs } from 'node:util'
import { join } from 'node:path'
import { personaRules } from '../../keepsake/src/extraction/rules/persona-rules.ts'
import type { Request } from '../../keepsake/src/extraction/extractor.ts'
import type { Candidate } from '../../keepsake/src/memories/candidate.ts'
import { groundCandidate } from '../../keepsake/src/extraction/grounding/ground-candidate.ts'
import type { Turn } from '../../keepsake/src/turns/turn.ts'
import type { BenchConversation, DatasetSession } from '../../bench/src/datasets/conversation.ts'
import { loadLocomo } from '../../bench/src/datasets/locomo.ts'
import { loadLufy } from '../../bench/src/datasets/lufy.ts'
import { loadMemoryBank } from '../../bench/src/datasets/memorybank.ts'
import { readEmoBank } from './read-emobank.ts'
import { seededRandom } from '../../bench/src/metrics/seeded-random.ts'

interface Found {
  readonly from: string
  readonly candidate: Candidate
  readonly outcome: string
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '150' },
    language: { type: 'string', default: 'en' },
    skip: { type: 'string', default: '0' },
    requests: { type: 'boolean', default: false },
    emobank: { type: 'boolean', default: false },
  },
})
const root = process.env['KEEPSAKE_DATA'] ?? join(import.meta.dirname, '../../../../shared/data')

type Talk = Pick<BenchConversation, 'user' | 'sessions'>

/** Sentences of blogs, letters, news and fiction, which no rule was written on: each is read as a user's turn. */
function emobank(): { from: string; conversation: Talk; isTwoPeople: boolean }[] {
  const at = Date.UTC(2024, 0, 1, 12)
  const turns = readEmoBank().map(({ text }, index) => ({
    id: `e${index}`,
    role: 'user' as const,
    speaker: 'user',
    text,
    at,
    zone: 'UTC',
  }))
  return [
    {
      from: 'emobank',
      conversation: { user: 'emobank', sessions: [{ id: 'emobank', turns }] },
      isTwoPeople: false,
    },
  ]
}

async function conversations(
  language: string,
): Promise<{ from: string; conversation: Talk; isTwoPeople: boolean }[]> {
  if (values.emobank) return emobank()
  const bank = await loadMemoryBank(join(root, 'memorybank'), language === 'zh' ? 'cn' : 'en', {
    en: [],
    cn: [],
  })
  const banks = bank.conversations.map((conversation) => ({
    from: 'memorybank',
    conversation,
    isTwoPeople: false,
  }))
  if (language === 'zh') return banks
  const locomo = (await loadLocomo(join(root, 'locomo/locomo3.json'))).conversations
  const lufy = (await loadLufy(join(root, 'lufy'))).conversations
  return [
    ...banks,
    ...locomo.map((conversation) => ({ from: 'locomo', conversation, isTwoPeople: true })),
    ...lufy.map((conversation) => ({ from: 'lufy', conversation, isTwoPeople: false })),
  ]
}

function turnsOf(session: DatasetSession, isTwoPeople: boolean): Turn[] {
  return session.turns.map((turn, position) => ({
    id: turn.id,
    scope: 1,
    session: session.id,
    position,
    role: isTwoPeople ? 'user' : turn.role,
    speaker: isTwoPeople ? turn.speaker : null,
    text: turn.text,
    at: turn.at,
    timeZone: turn.zone,
    metadata: null,
  }))
}

async function findAll(
  language: string,
): Promise<{ found: Found[]; requests: { request: Request; from: string }[]; turns: number }> {
  const rules = personaRules()
  const found = new Map<string, Found>()
  const requests: { request: Request; from: string }[] = []
  let count = 0
  for (const { from, conversation, isTwoPeople } of await conversations(language)) {
    for (const session of conversation.sessions) {
      const turns = turnsOf(session, isTwoPeople)
      count += turns.filter((turn) => turn.role === 'user').length
      const extraction = await rules.extract({
        scope: 1,
        session: session.id,
        sessionNumber: 1,
        round: 1,
        turns,
      })
      requests.push(...extraction.requests.map((request) => ({ request, from })))
      for (const candidate of extraction.candidates) {
        if (candidate.subject === 'agent') continue
        const grounding = groundCandidate(candidate, turns)
        const outcome =
          grounding.outcome === 'grounded' ? grounding.label : `quarantined: ${grounding.reason}`
        // LUFY's first session is one conversation in three folders.
        found.set(`${conversation.user}|${candidate.text}`, { from, candidate, outcome })
      }
    }
  }
  return { found: [...found.values()], requests, turns: count }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items]
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [one, two] = [order[at], order[other]]
    if (one !== undefined && two !== undefined) [order[at], order[other]] = [two, one]
  }
  return order
}

const { found, requests, turns } = await findAll(values.language)
if (values.requests) for (const one of requests) console.log(JSON.stringify(one))
else {
  const skip = Number(values.skip)
  const sample = shuffled(found, seededRandom(Number(values.seed))).slice(skip, skip + Number(values.count))
  for (const [index, { from, candidate, outcome }] of sample.entries()) {
    const { key, value, text, evidence } = candidate
    const quotes = evidence.map((one) => one.quote).join(' ⟵ ')
    const label = outcome === 'user-stated' ? '' : ` {${outcome}}`
    console.log(`${index + 1}. [${from}] ${key ?? '-'} = ${value ?? '-'} | ${text}${label} | ${quotes}`)
  }
  console.log(
    `\n${sample.length} of ${found.length} facts from ${turns} user turns; ${requests.length} requests`,
  )
}
