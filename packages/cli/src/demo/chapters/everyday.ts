import { openMemory, type ScopedMemory } from 'keepsake'
import { formatConfidence } from '../../output/format-recall.ts'
import { printable, shorten, wrap } from '../../output/style.ts'
import { readConversation } from '../read-conversation.ts'
import type { Chapter, DemoSession, Stage } from '../stage.ts'

const USER = 'maud'
const DAY_MS = 86_400_000
/** Of what a reply would be given, lines shown. */
const LINES_SHOWN = 4
/** Of each, characters shown. */
const LINE_LENGTH = 136

/** Begins a line of the profile. */
const PROFILE_LINE = '- [profile'

/** What people ask who try a memory. The last two were never talked about. */
const ASKED = [
  'What did my husband do for a living?',
  "Who is Maud's granddaughter?",
  'Tell me about myself.',
  'What should you know about my health?',
  'What did we talk about last time?',
  'What did I tell you in April?',
  'Have I ever been to Japan?',
  'How much is my pension?',
]

export const everyday: Chapter = {
  title: 'Everyday questions',
  about:
    'Eight months of conversation between Maud, a retired bus driver, and her companion, written independently of this project. Questions about her, about the last conversation and about things never mentioned, each with the context for a reply.',
  isTold: ({ model }) => model === null,
  async tell(stage) {
    const clock = { now: 0 }
    const memory = await openMemory({
      path: ':memory:',
      preset: stage.memory.preset,
      now: () => clock.now,
    })
    try {
      const scope = memory.scope({ user: USER })
      for (const session of readConversation('maud-en.jsonl')) await hear(scope, session, clock)
      clock.now += DAY_MS
      const profile = await tellProfile(stage, scope)
      const questions: object[] = []
      for (const question of ASKED) questions.push(await ask(stage, scope, question))
      return { profile, questions }
    } finally {
      await memory.close()
    }
  },
}

async function hear(scope: ScopedMemory, { id, turns }: DemoSession, clock: { now: number }): Promise<void> {
  clock.now = Date.parse(turns.at(-1)?.at ?? '')
  await scope.remember(turns, { session: id })
  await scope.endSession(id)
  await scope.drain()
}

/** What stands ahead of every answer, told once. */
async function tellProfile(
  { style, say, paragraph }: Stage,
  scope: ScopedMemory,
): Promise<readonly string[]> {
  const { lines } = await scope.profile()
  if (lines.length === 0) return []
  paragraph(style.bold('Always included in the context'))
  say(
    ...lines.map(({ slot, text }) =>
      style.dim(`     ${shorten(printable(`${slot}: ${text}`), style.width - 5)}`),
    ),
    '',
  )
  return lines.map(({ text }) => text)
}

async function ask({ style, say, paragraph }: Stage, scope: ScopedMemory, question: string): Promise<object> {
  const recall = await scope.recall(question, { reinforce: false })
  const { known, confidence, context } = recall
  const lines = context.text.split('\n').filter((line) => line !== '' && !line.startsWith(PROFILE_LINE))
  paragraph(style.bold(question))
  say(`   ${formatConfidence(recall, style)}`)
  if (known) {
    const shown = lines.slice(0, LINES_SHOWN)
    for (const line of shown)
      say(wrap(style.dim(shorten(printable(line), LINE_LENGTH)), style.width, '     ', '       '))
    if (lines.length > shown.length) say(style.dim(`     … and ${lines.length - shown.length} more`))
  }
  say('')
  return { question, known, confidence, context: context.text }
}
