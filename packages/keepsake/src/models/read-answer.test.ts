import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Prompt } from '../prompts/prompt.ts'
import { readAnswer } from './read-answer.ts'

const schema = z.object({
  name: z.string(),
  items: z.array(z.object({ text: z.string(), turns: z.array(z.number()) })),
})
const prompt: Prompt<null, z.infer<typeof schema>> = {
  id: 'list-items',
  version: 1,
  schema,
  render: () => ({ system: '', user: '' }),
}

const read = (answer: unknown) =>
  readAnswer(
    { text: JSON.stringify(answer), finish: 'stop', usage: { input: null, output: null } },
    prompt,
    null,
  )
const readText = (text: string) =>
  readAnswer({ text, finish: 'stop', usage: { input: null, output: null } }, prompt, null)
const item = (text: unknown, turns: unknown = [1]) => ({ text, turns })

describe('an answer of which part breaks its shape', () => {
  it('is used without the entries that do, each named by its place', () => {
    expect(read({ name: 'a', items: [item(1), item('b'), 'c', item('d')] })).toMatchObject({
      kind: 'flawed',
      output: { name: 'a', items: [item('b'), item('d')] },
      leftOut: [expect.stringMatching(/^items\.2: /), expect.stringMatching(/^items\.0\.text: /)],
    })
  })

  it('loses no more than the entry that is nearest', () => {
    expect(read({ name: 'a', items: [item('b', [1, 'two', 3]), item('c')] })).toMatchObject({
      kind: 'flawed',
      output: { items: [item('b', [1, 3]), item('c')] },
      leftOut: [expect.stringMatching(/^items\.0\.turns\.1: /)],
    })
  })

  it.each([
    ['elsewhere than in a list', { name: 7, items: [item('b')] }],
    ['in all of a list', { name: 'a', items: [item(1), item(2)] }],
    ['in the list itself', { name: 'a', items: 'none' }],
  ])('cannot be used when it does so %s', (_, answer) => {
    expect(read(answer)).toMatchObject({ kind: 'wrong' })
  })
})

describe('an answer of another shape', () => {
  const schemaItself = {
    $schema: 'x',
    type: 'object',
    properties: { items: { type: 'array' } },
    required: ['items'],
  }
  it.each([
    ['the schema itself', schemaItself],
    ['an empty object', {}],
    ['one wrapped in a field', { result: { name: 'a', items: [] } }],
    ['a list alone', [item('b')]],
    ['null instead of the list', { name: 'a', items: null }],
    ['an object instead of the list', { name: 'a', items: {} }],
    ['an error', { error: { message: 'overloaded' } }],
  ])('is none when it is %s, and says which list it lacks', (_, answer) => {
    expect(read(answer)).toEqual({ kind: 'wrong', problems: [expect.stringContaining('no list "items"')] })
  })

  it('means nothing when its list is empty', () => {
    expect(read({ name: 'a', items: [] })).toMatchObject({ kind: 'good', output: { items: [] } })
  })
})

describe('an answer with other JSON beside it', () => {
  const good = JSON.stringify({ name: 'a', items: [item('b')] })
  const empty = JSON.stringify({ name: '', items: [] })
  it.each([
    ['an empty object in a note', `${good}\nAn unknown field would be {}.`],
    ['a second fence', `\`\`\`json\n${good}\n\`\`\`\n\`\`\`json\n${empty}\n\`\`\``],
    ['an object of another shape', `${good}\n{"status": "complete"}`],
    ['an empty example after it', `${good}\nWith nothing to list I would say ${empty}.`],
    ['an empty draft before it', `${empty}\n${good}`],
    ['a thought after it', `${good}\n<think>Should it have been ${empty}?</think>`],
    ['itself again', `${good}\n\nFinal answer:\n${good}`],
  ])('is found beside %s', (_, text) => {
    expect(readText(text)).toEqual({ kind: 'good', output: { name: 'a', items: [item('b')] } })
  })

  it('has the entries of all values, which is a flaw', () => {
    const more = JSON.stringify({ name: 'c', items: [item('b'), item('d')] })
    expect(readText(`${good}\n${more}`)).toEqual({
      kind: 'flawed',
      output: { name: 'c', items: [item('b'), item('d')] },
      problems: [expect.stringContaining('several JSON values')],
      leftOut: [],
    })
  })

  it('is asked for again if only an empty value beside it can be used', () => {
    const unusable = JSON.stringify({ name: 'a', items: ['b'] })
    expect(readText(`${unusable}\n${empty}`)).toMatchObject({ kind: 'wrong' })
  })
})
