import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
const db = join(folder, 'memory.db')

beforeAll(async () => {
  const turns = [
    { user: 'maya', agent: 'tutor', role: 'user', text: 'I live in Porto.' },
    { user: 'maya', agent: 'coach', role: 'user', text: 'I run at six.' },
    { user: 'noa', role: 'user', text: 'I keep bees.' },
  ]
  const talk = join(folder, 'talk.jsonl')
  writeFileSync(talk, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''))
  await run(['import', talk, '--db', db])
})

const consent = async (...argv: string[]) => {
  const ran = await run(['train', 'consent', '--db', db, ...argv, '--json'])
  return ran.json().map((row) => {
    const { user, agent, consent } = row as Record<string, string>
    return `${user}/${agent ?? '-'}: ${consent}`
  })
}

it('nobody was asked at first', async () => {
  expect(await consent()).toEqual(['maya/tutor: unasked', 'maya/coach: unasked', 'noa/-: unasked'])
})

it('an answer is for the person, or for what one agent knows; a refusal outweighs', async () => {
  await consent('--user', 'maya', '--answer', 'allow')
  await consent('--user', 'maya', '--agent', 'coach', '--answer', 'refuse')
  expect(await consent()).toEqual(['maya/tutor: given', 'maya/coach: refused', 'noa/-: unasked'])
  await consent('--user', 'maya', '--answer', 'refuse')
  await consent('--user', 'maya', '--agent', 'coach', '--answer', 'unasked')
  expect(await consent('--user', 'maya')).toEqual(['maya/tutor: refused', 'maya/coach: refused'])
})

it('an answer needs a person', async () => {
  const ran = await run(['train', 'consent', '--db', db, '--answer', 'refuse'])
  expect(ran.code).toBe(2)
  expect(ran.err).toContain('--user')
})

it('is erased with the person', async () => {
  await consent('--user', 'noa', '--answer', 'refuse')
  expect((await run(['erase', '--user', 'noa', '--db', db, '--yes'])).code).toBe(0)
  expect(await consent('--user', 'maya')).toHaveLength(2)
  expect((await run(['train', 'consent', '--db', db])).out).not.toContain('noa')
})
