import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'
import { deadUrl } from '../../../keepsake/test/model-endpoint.ts'
import { temporaryFile } from '../../../keepsake/test/temporary-file.ts'
import { file } from '../../test/import-files.ts'
import { run } from '../testing/run-command.ts'
import { scriptedEndpoint, type ScriptedAnswer } from '../testing/scripted-endpoint.ts'

const STATEMENTS = [
  'My name is Ottilie. I live in Trondheim.',
  'I play the viola.',
  'I am allergic to shrimp. My brother Jens is a roofer.',
  'I work as a glazier.',
  'My dog is called Sprocket.',
  'I am vegetarian.',
]

/** A conversation of so many sessions, one a day. */
function talkOf(sessions: number): string {
  const lines = Array.from({ length: sessions }, (_, day) => {
    const at = new Date(Date.UTC(2026, 2, 1 + day, 9)).toISOString()
    return [
      { role: 'user', text: STATEMENTS[day % STATEMENTS.length] ?? '', at },
      { role: 'assistant', text: 'I see.', at },
    ]
  })
  return lines.flatMap((turns) => turns.map((turn) => `${JSON.stringify(turn)}\n`)).join('')
}

/** Imports a conversation into a new database. @returns the facts, and the kinds of the jobs that are left */
async function importTalk(sessions: number, ...options: readonly string[]) {
  const db = temporaryFile()
  const { code } = await run([
    'import',
    file(talkOf(sessions), 'talk.jsonl'),
    '--user',
    'otti',
    '--db',
    db,
    ...options,
  ])
  await using memory = await openMemory({ path: db, readOnly: true })
  const facts = await memory.scope({ user: 'otti' }).memories({ forms: ['fact'] })
  const jobs = await memory.jobs()
  return {
    code,
    facts: facts.map(({ text }) => text).toSorted(),
    jobs: new Set(jobs.map(({ kind }) => kind)),
  }
}

it.each<[string, number, ScriptedAnswer | 'refused']>([
  ['answers 503', 2, { status: 503, message: 'no' }],
  ['answers 500 slowly', 14, { status: 500, message: 'no', pauseMs: 700 }],
  ['answers 401', 5, { status: 401, message: 'no such key' }],
  ['refuses the connection', 23, 'refused'],
])(
  'rules read every session of an import while the model %s (%d sessions)',
  { timeout: 60_000 },
  async (_, sessions, fault) => {
    const endpoint = await scriptedEndpoint(() => (fault === 'refused' ? { hang: true } : fault))
    const spec = fault === 'refused' ? `openai-compatible:${await deadUrl()}#m` : endpoint.spec
    const { facts, jobs } = await importTalk(sessions, '--model', spec)
    await endpoint.close()
    expect(facts).toEqual((await importTalk(sessions)).facts)
    expect(jobs).not.toContain('end-session')
    expect(jobs).toContain('read-segment')
  },
)

it('an import and a recall say that an embedder cannot be reached', async () => {
  const db = temporaryFile()
  const embedding = ['--embedding', `openai-compatible:${await deadUrl()}#e`, '--db', db]
  const talk = file(talkOf(2), 'talk.jsonl')
  const imported = await run(['import', talk, '--user', 'otti', ...embedding])
  expect(imported.code).toBe(0)
  expect(imported.out.match(/Vectors are missing/g)).toHaveLength(1)
  expect(imported.out.replaceAll(/\s+/g, ' ')).toMatch(/found by words\. .* could not embed/)
  const recalled = await run(['recall', 'Where do I live?', ...embedding])
  expect(recalled.out).toContain('Trondheim')
  expect(recalled.out).toContain('by words only')
  const plain = await run(['import', talk, '--user', 'otti', '--db', temporaryFile()])
  expect(plain.out).not.toContain('Vectors')
})

it('what waits for a model says when it is tried next, and no command without a model does it', async () => {
  const endpoint = await scriptedEndpoint(() => ({ status: 401, message: 'no such key' }))
  const db = temporaryFile()
  const talk = file(talkOf(3), 'talk.jsonl')
  await run(['import', talk, '--user', 'otti', '--db', db, '--model', endpoint.spec])
  await endpoint.close()
  const listed = await run(['jobs', '--db', db])
  expect(listed.out).toMatch(/next try \d{4}-\d\d-\d\d \d\d:\d\d, or with --model/)
  const segments = async () => {
    await using memory = await openMemory({ path: db, readOnly: true })
    const jobs = await memory.scope({ user: 'otti' }).jobs()
    return jobs.filter(({ kind, nextTryAt }) => kind === 'read-segment' && nextTryAt !== null).length
  }
  expect(await segments()).toBe(3)
  {
    await using memory = await openMemory({ path: db })
    const scope = memory.scope({ user: 'otti' })
    await scope.remember({ role: 'user', text: 'My sister is a blacksmith.' }, { session: 'new' })
    await scope.endSession('new')
    await memory.drain()
    const facts = await scope.memories({ forms: ['fact'] })
    expect(facts.map(({ text }) => text)).toContain("The user's sister is a blacksmith.")
  }
  expect(await segments()).toBe(3)
  const retried = await run(['jobs', '--retry', '--db', db])
  expect(retried.out).toContain('There are no jobs.')
})
