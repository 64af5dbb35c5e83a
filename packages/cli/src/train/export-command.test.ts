import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScopedMemory } from 'keepsake'
import type { LanguageRequest } from 'keepsake/model'
import { PAPER_PROMPTS } from '@keepsake/papers'
import { promptVersion } from 'keepsake/preset'
import { chatRow, completionRow, rankedRow } from '@keepsake/train'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { exportTo, fillWith, rowsIn, talk } from '../testing/train-export.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
const db = join(folder, 'mmm.db')
let made = 0

/** What each sentence calls for, as a language model answers it. */
const CODES: readonly (readonly [said: string, type: string, content: string])[] = [
  ['I live in Porto.', 'add', 'The user lives in Porto.'],
  ['I moved to Lisbon.', 'modify', 'The user lives in Lisbon.'],
  ['I drink tea in the morning.', 'add', 'The user drinks tea in the morning.'],
  ['My sister Mia is a nurse.', 'add', "The user's sister Mia is a nurse."],
  ['I have a dog called Bruno.', 'add', 'The user has a dog called Bruno.'],
]

function answerOperations({ messages }: LanguageRequest): string {
  const asked = messages[0]?.text ?? ''
  const turns = asked.slice(asked.lastIndexOf('<turns>'))
  const operations = CODES.filter(([said]) => turns.includes(said)).map(([quote, type, content]) => ({
    type,
    index: type === 'modify' ? 1 : null,
    content,
    why: null,
    turn: 1,
    quote,
  }))
  return JSON.stringify({ operations })
}

/** A session in which the agent has little to say. */
const tell = (person: ScopedMemory, said: readonly string[]): Promise<void> =>
  talk(
    person,
    said.map((text) => [text, 'I see.'] as const),
    3,
  )

/** Runs an export, and hands back what it says and what it wrote. */
async function exported(...argv: string[]) {
  made += 1
  const out = join(folder, `out-${made}`)
  return { out, told: await exportTo(out, ...argv) }
}

const answerTo = (rows: readonly ReturnType<typeof chatRow.parse>[], said: string): string =>
  rows.find(({ messages }) => turnsOf(messages[1].content).includes(said))?.messages[2].content ??
  'no such row'

const turnsOf = (user: string): string => user.slice(user.lastIndexOf('<turns>'))

beforeAll(async () => {
  await fillWith(db, 'mmm', answerOperations, async (personOf) => {
    const home = ['I live in Porto.', 'I moved to Lisbon.', 'How are you today?']
    await tell(personOf('ana'), home)
    const [ofAna] = await personOf('ana').memories({ forms: ['fact'] })
    await personOf('ana').edit(ofAna?.id ?? '', { text: 'The user lives in Lisbon with two flatmates.' })

    await tell(personOf('ben'), ['I drink tea in the morning.', 'What a day it was.'])
    const [added] = await personOf('ben').log()
    await personOf('ben').undo(added?.id ?? '')

    await tell(personOf('cleo'), [
      'My sister Mia is a nurse.',
      'Write to mia@example.org or call 0171 555 0123.',
    ])
    await tell(personOf('dov'), ['I live in Porto.', 'I have a dog called Bruno.'])
    const ofDov = await personOf('dov').memories({ forms: ['fact'] })
    await personOf('dov').forget(ofDov.find(({ text }) => text.includes('Bruno'))?.id ?? '')
    await tell(personOf('eve'), ['I live in Porto.', 'I drink tea in the morning.'])
  })
  await run(['train', 'consent', '--db', db, '--user', 'eve', '--answer', 'refuse'])
})

describe('train export --task operations', () => {
  const argv = ['--task', 'operations', '--db', db, '--preset', 'mmm']

  it('asks in the engine’s own words and answers as the log says, which the engine’s own shape takes', async () => {
    const { out, told } = await exported(...argv)
    expect(told.unreadable).toEqual([])
    const rows = rowsIn(out, 'sft', chatRow)
    expect(rows).toHaveLength(Object.values(told.written.sft).reduce((sum, count) => sum + count, 0))
    const prompt = PAPER_PROMPTS.find(({ id }) => id === 'operations')!
    for (const { messages } of rows) prompt.schema.parse(JSON.parse(messages[2].content))
    const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as { prompts: string[] }
    expect(manifest.prompts).toEqual([promptVersion(prompt)])
    expect(JSON.parse(answerTo(rows, 'I live in [name'))).toEqual({
      operations: [
        {
          type: 'add',
          index: null,
          content: 'The user lives in [name 1].',
          why: null,
          turn: 1,
          quote: 'I live in [name 1].',
        },
      ],
    })
  })

  it('has an edit stand in the answer, and what it corrected in the rejected one', async () => {
    const { out, told } = await exported(...argv, '--identified')
    const moved = rowsIn(out, 'dpo', rankedRow).find(({ messages }) =>
      turnsOf(messages[1].content).includes('I moved to Lisbon.'),
    )
    expect(moved?.messages[1].content).toContain('The user lives in Porto.')
    expect(moved?.chosen.content).toContain(
      '"type":"modify","index":1,"content":"The user lives in Lisbon with two flatmates."',
    )
    expect(moved?.rejected.content).toContain('"content":"The user lives in Lisbon."')
    expect(answerTo(rowsIn(out, 'sft', chatRow), 'I moved to Lisbon.')).toBe(moved?.chosen.content)
    expect(told.by['person']).toBe(2)
  })

  it('takes nothing of who refused, and nothing that rests on what was removed, and says so', async () => {
    const { out, told } = await exported(...argv, '--identified')
    expect(told.scopesRefused).toBe(1)
    expect(told.withheld).toBeGreaterThan(0)
    const everything = JSON.stringify([rowsIn(out, 'sft', chatRow), rowsIn(out, 'dpo', rankedRow)])
    expect(everything).not.toContain('Bruno')
    expect(readFileSync(join(out, 'index.jsonl'), 'utf8').match(/"person":"p\d+"/g)?.length).toBeGreaterThan(
      4,
    )
    await expect(
      run(['train', 'export', ...argv, '--out', join(folder, 'none'), '--only-agreed']),
    ).resolves.toMatchObject({
      code: 2,
      err: expect.stringContaining('5 scopes may not be learned from') as string,
    })
  })

  it('replaces names and addresses, the same name by the same words', async () => {
    const { out, told } = await exported(...argv)
    const everything = JSON.stringify(rowsIn(out, 'sft', chatRow))
    for (const name of ['Mia', 'Lisbon', 'mia@example.org', '0171 555', 'cleo'])
      expect(everything).not.toContain(name)
    expect(told.names).toBeGreaterThanOrEqual(2)
    const row = answerTo(rowsIn(out, 'sft', chatRow), 'is a nurse')
    const [, placeholder] = /sister (\[name \d+\]) is a nurse/.exec(row) ?? []
    expect(row).toContain(`My sister ${placeholder} is a nurse.`)
  })

  it('keeps each person in one part, and says the same thing once', async () => {
    const { out } = await exported(...argv)
    const index = readFileSync(join(out, 'index.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; person: string })
    const parts = new Map<string, Set<string>>()
    for (const { file, person } of index)
      parts.set(person, (parts.get(person) ?? new Set()).add(file.split('/')[1] ?? ''))
    expect([...parts.values()].every((files) => files.size === 1)).toBe(true)
    expect(new Set([...parts.values()].flatMap((files) => [...files])).size).toBe(3)
    const asked = rowsIn(out, 'sft', chatRow).map(({ messages }) => messages[1].content)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('describes its files to LLaMA-Factory, and TRL learns from the answer alone', async () => {
    const { out } = await exported(...argv)
    const info = JSON.parse(readFileSync(join(out, 'dataset_info.json'), 'utf8')) as Record<
      string,
      { readonly file_name: string }
    >
    for (const { file_name: file } of Object.values(info))
      expect(readFileSync(join(out, file), 'utf8')).not.toBe('')
    const chats = rowsIn(out, 'sft', chatRow).map(({ messages }) => messages)
    const completions = rowsIn(out, 'trl/sft', completionRow).map(({ prompt, completion }) => [
      ...prompt,
      ...completion,
    ])
    expect(completions).toEqual(chats)
  })

  it('wants an empty folder, and a model for pairs that are written', async () => {
    const { out } = await exported(...argv)
    expect((await run(['train', 'export', '--out', out, ...argv])).err).toContain('not empty')
    const pairs = await run([
      'train',
      'export',
      '--task',
      'reply-dpo',
      '--db',
      db,
      '--out',
      join(folder, 'pairs'),
    ])
    expect(pairs.code).toBe(2)
    expect(pairs.err).toContain('--model')
  })
})
