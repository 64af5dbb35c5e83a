import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataset } from '@keepsake/bench'
import { seededDraw } from '@keepsake/bench/parts'
import { describe, expect, it } from 'vitest'
import { jsonLines } from '../../summarise-generated.ts'
import { generateHalumem } from '../generate-halumem.ts'
import { Corpus } from './corpus.ts'
import { generateLong } from './lengthen-file.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'keepsake-long-'))

/** A corpus of two sources in two forms; every exchange is another. */
function corpus(lines = 400): string {
  const at = folder()
  const line = (n: number) => `fact number ${n} is told at some length here, ${'and more '.repeat(n % 7)}`
  writeFileSync(
    join(at, 'facts.jsonl'),
    jsonLines(Array.from({ length: lines }, (_, n) => ({ question: `What is ${n}?`, answer: line(n) }))),
  )
  writeFileSync(
    join(at, 'sums.jsonl'),
    jsonLines(
      Array.from({ length: lines }, (_, n) => ({
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: `${n} und 一?` },
          { role: 'assistant', content: `Das ist ${n + 1}，对。` },
        ],
        token_length: 9,
      })),
    ),
  )
  return at
}

const medium = await generateHalumem({ seed: 3, users: 3, sessions: 6, language: 'en' })
const TOKENS = 7_000

function mediumFile(): string {
  const file = join(folder(), 'medium.jsonl')
  // The published files hold more than the form asks for; it is to stay.
  writeFileSync(file, jsonLines(medium.users.map((user) => ({ ...user, token_cost: { input: 1 } }))))
  return file
}

type Line = (typeof medium.users)[number] & { token_cost: object }
const readLines = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line))

describe('a Long variant from a corpus of one’s own', () => {
  it('holds as many tokens as are asked for, and all that was there, in its order', async () => {
    const [from, out] = [mediumFile(), join(folder(), 'long.jsonl')]
    const users = await generateLong({ from, out, corpus: corpus(), tokens: TOKENS, seed: 1 })
    for (const { tokens } of users) {
      expect(tokens).toBeGreaterThanOrEqual(TOKENS)
      expect(tokens).toBeLessThan(TOKENS * 1.05)
    }
    for (const [place, long] of readLines(out).entries()) {
      const before = medium.users[place]
      const own = long.sessions.filter((session) => session.is_generated_qa_session !== true)
      expect(long.token_cost).toEqual({ input: 1 })
      expect(own.map(({ memory_points, questions }) => [memory_points, questions])).toEqual(
        before?.sessions.map(({ memory_points, questions }) => [memory_points, questions]),
      )
      const said = (sessions: typeof own) =>
        sessions.flatMap(({ dialogue }) => dialogue.map(({ content }) => content))
      const were = said(before?.sessions ?? [])
      expect(said(own).filter((content) => were.includes(content))).toEqual(were)
    }
  })

  it('puts some exchanges within sessions and some between them, never twice for a person, in the order of time', async () => {
    const [from, out] = [mediumFile(), join(folder(), 'long.jsonl')]
    await generateLong({ from, out, corpus: corpus(), tokens: TOKENS, seed: 1 })
    for (const [place, { sessions }] of readLines(out).entries()) {
      const inserted = sessions.filter((session) => session.is_generated_qa_session === true)
      expect(inserted.length).toBeGreaterThan(0)
      expect(sessions[0]?.is_generated_qa_session).toBeUndefined()
      expect(sessions.at(-1)?.is_generated_qa_session).toBeUndefined()
      for (const session of inserted) expect([session.memory_points, session.questions]).toEqual([[], []])
      const were = new Set(
        medium.users[place]?.sessions.flatMap(({ dialogue }) => dialogue.map(({ content }) => content)),
      )
      const asked = sessions.flatMap(({ dialogue }) =>
        dialogue.flatMap(({ role, content }) => (role === 'user' && !were.has(content) ? [content] : [])),
      )
      expect(new Set(asked).size).toBe(asked.length)
      const within = sessions.filter((session) => session.is_generated_qa_session !== true)
      expect(within.reduce((sum, one) => sum + one.dialogue_turn_num, 0)).toBeGreaterThan(
        medium.users[place]?.sessions.reduce((sum, one) => sum + one.dialogue_turn_num, 0) ?? 0,
      )
      const times = sessions.map(({ start_time: time }) => Date.parse(`${time} UTC`))
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      for (const { dialogue, dialogue_turn_num: rounds } of sessions)
        expect(dialogue.at(-1)?.dialogue_turn).toBe(rounds - 1)
    }
    const dataset = await openDataset('halumem', out)
    expect((await Array.fromAsync(dataset.conversations())).length).toBe(3)
  })

  it('goes on with the next user after it was stopped, and gives what it would have given', async () => {
    const [from, source] = [mediumFile(), corpus()]
    const [whole, stopped] = [join(folder(), 'a.jsonl'), join(folder(), 'b.jsonl')]
    const options = { from, corpus: source, tokens: TOKENS, seed: 1 }
    await generateLong({ ...options, out: whole })
    const text = readFileSync(whole, 'utf8')
    const second = text.indexOf('\n', text.indexOf('\n') + 1)
    writeFileSync(stopped, text.slice(0, second - 200))
    const users = await generateLong({ ...options, out: stopped })
    expect(users).toHaveLength(3)
    expect(readFileSync(stopped, 'utf8')).toBe(text)
    await expect(generateLong({ ...options, tokens: 2 * TOKENS, out: stopped })).rejects.toThrow(
      /write another file/,
    )
  })

  it('says when the corpus is too small, holds something else, or is none', async () => {
    const options = { from: mediumFile(), tokens: 10_000_000, seed: 1 }
    const long = (at: string) => generateLong({ ...options, corpus: at, out: join(folder(), 'l.jsonl') })
    await expect(long(corpus(20))).rejects.toThrow(/The corpus holds \d+ tokens and \d+ are wanted/)
    const other = folder()
    writeFileSync(join(other, 'x.jsonl'), '{"text": "no question"}\n')
    await expect(long(other)).rejects.toThrow(/x\.jsonl:1 holds no question with an answer/)
    await expect(long(folder())).rejects.toThrow(/should be a folder of \.jsonl files/)
  })
})

describe('Corpus', () => {
  it('draws from its files evenly, and within one the longer more often', async () => {
    const at = folder()
    const many = Array.from({ length: 200 }, (_, n) => ({ user: `short ${n}`, agent: 'a' }))
    const long = Array.from({ length: 200 }, (_, n) => ({ user: `long ${n}`, agent: 'word '.repeat(40) }))
    writeFileSync(join(at, 'mixed.jsonl'), jsonLines([...many, ...long]))
    writeFileSync(
      join(at, 'other.jsonl'),
      jsonLines(Array.from({ length: 400 }, (_, n) => ({ user: `o ${n}`, agent: 'b' }))),
    )
    const opened = await Corpus.open(at)
    const drawn = opened.draw(seededDraw(1), 4_000)
    const count = (head: string) => drawn.filter(({ user }) => user.startsWith(head)).length
    expect(count('long')).toBeGreaterThan(3 * count('short'))
    expect(count('o ') / drawn.length).toBeGreaterThan(0.35)
    expect(count('o ') / drawn.length).toBeLessThan(0.65)
  })
})
