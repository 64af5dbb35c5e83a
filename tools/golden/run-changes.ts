// Changes a small memory with every public call, and lists the results and the remaining content.
import { MEMORY_FORMS, MEMORY_STATUSES, type ScopedMemory } from 'keepsake'
import { type PresetName } from '@keepsake/papers'
import type { Line, MemoryNames } from './normalise.ts'
import { attempt, dumpScope, openRun, recallLines, type OpenedRun } from './run-talk.ts'
import { readShortTalk, type Language } from './talks.ts'

const DAY = 86_400_000
const TURNS = 24

const WORDS = {
  en: {
    note: 'Prefers the window seat',
    stated: 'Lives in Lyon',
    edited: 'Lives in Grenoble',
    request: 'Please forget what I said about pianos.',
    question: 'Where does she live?',
  },
  zh: {
    note: '喜欢靠窗的座位',
    stated: '住在里昂',
    edited: '住在格勒诺布尔',
    request: '请忘掉我说过的关于工作的事。',
    question: '她住在哪里？',
  },
} as const

/** Runs all changes in order. If the preset refuses a call, the error becomes the content of its line. */
export async function runChanges(preset: PresetName, language: Language): Promise<Line[]> {
  const run = await openRun(preset)
  try {
    return await changeMemories(run, preset, language)
  } finally {
    await run.keepsake.close()
  }
}

async function changeMemories(run: OpenedRun, preset: PresetName, language: Language): Promise<Line[]> {
  const { keepsake, clock } = run
  const words = WORDS[language]
  const talk = readShortTalk(language)
  const inputs = talk.sessions.flatMap(({ turns }) => turns).slice(0, TURNS)
  const scope = keepsake.scope({ user: 'ana' })
  const lines: Line[] = []
  const results: [string, unknown][] = []
  const call = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    results.push([name, await attempt(work)])
    await scope.drain()
  }
  clock.now = inputs.at(-1)?.at ?? 0
  await call('remember', () => scope.remember(inputs, { session: 's1' }))
  await call('remember-again', () => scope.remember(inputs, { session: 's1' }))
  await call('note', () => scope.note(words.note, { name: 'seat', metadata: { source: 'booking' } }))
  await call('note-again', () => scope.note(`${words.note}.`, { name: 'seat' }))
  await call('state', () => scope.addFact(words.stated, { key: 'residence' }))
  const firstOf = async (of: ScopedMemory, text: string): Promise<string> =>
    (await of.memories({ statuses: MEMORY_STATUSES, contains: text }))[0]?.id ?? 'absent'
  await call('edit', async () => scope.edit(await firstOf(scope, words.stated), { text: words.edited }))
  await call('pin', async () => scope.pin(await firstOf(scope, words.edited)))
  await call('remove', async () => scope.forget(await firstOf(scope, words.edited)))
  await call('restore', async () => scope.restore(await firstOf(scope, words.edited)))
  await call('undo', async () =>
    scope.undo((await scope.log({ newestFirst: true, limit: 1 }))[0]?.id ?? 'absent'),
  )
  await call('agent', () =>
    keepsake.scope({ user: 'ana', agent: 'coach' }).note(words.stated, { name: 'agent' }),
  )
  clock.now += DAY
  await call('request', () =>
    scope.remember({ role: 'user', text: words.request, id: 'request' }, { session: 's2' }),
  )
  await call('held', () => scope.admin.pendingRequests())
  await call('end', () => scope.endSession('s2'))
  await call('strengths', () => scope.admin.strengths())
  clock.now += 90 * DAY
  await call('forgetting', () => scope.runForgetting())
  await call('unremembered', () => scope.admin.setRemembered('s3', false))
  await call('unremembered-turn', () =>
    scope.remember({ role: 'user', text: words.stated, id: 'gone' }, { session: 's3' }),
  )
  await call('preview', () => scope.admin.previewErasure({ turns: [inputs[2]?.id ?? ''] }))
  await call('erase', () => scope.erase({ turns: [inputs[2]?.id ?? ''] }))
  await call('remove-utterance', async () =>
    scope.forget((await scope.memories({ forms: MEMORY_FORMS }))[0]?.id ?? 'absent'),
  )
  const { names, lines: dumped } = await dumpScope(scope, 'ana', true)
  for (const [name, value] of results)
    lines.push({ kind: 'call', id: `ana/${name}`, content: names.normalise(value) })
  lines.push({ kind: 'call', id: 'scopes', content: names.normalise(await keepsake.scopes()) })
  lines.push(...dumped, ...(await askQuestions(scope, words.question, names)))
  lines.push(...(await importAgain(run, preset)))
  await call('erase-all', () => scope.erase({ everything: true }))
  lines.push({
    kind: 'call',
    id: 'after-erasure',
    content: names.normalise([results.at(-1), await keepsake.scopes()]),
  })
  return lines
}

async function askQuestions(scope: ScopedMemory, question: string, names: MemoryNames): Promise<Line[]> {
  const plain = await scope.recall(question, { reinforce: false })
  const past = await scope.recall(question, { reinforce: false, asOf: (await scope.turns())[6]?.at ?? 0 })
  const notes = await scope.recall(question, { reinforce: false, forms: ['note'], tokens: 100, limit: 3 })
  return [
    ...recallLines('ana/plain', plain, names),
    ...recallLines('ana/as-of', past, names),
    ...recallLines('ana/notes', notes, names),
  ]
}

/** Imports the export into an empty memory, whose dump should be the same. */
async function importAgain({ keepsake, clock }: OpenedRun, preset: PresetName): Promise<Line[]> {
  const exported = await Array.fromAsync(keepsake.scope({ user: 'ana' }).export())
  const other = await openRun(preset)
  try {
    other.clock.now = clock.now
    await other.keepsake.import(exported)
    await other.keepsake.drain()
    const { lines } = await dumpScope(other.keepsake.scope({ user: 'ana' }), 'imported', false)
    return lines.filter(({ kind }) => kind !== 'operation')
  } finally {
    await other.keepsake.close()
  }
}
