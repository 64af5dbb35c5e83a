import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileText } from '../../../keepsake/test/hostile-text.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { maskSecrets } from '../secrets/mask-secrets.ts'
import { TextGate } from './text-gate.ts'

const gate = new TextGate({ maskSecrets: true })
const open = new TextGate({ maskSecrets: false })

describe('a text that has passed the gate', () => {
  it('is composed and well-formed, without control characters but tabs and ends of lines', async () => {
    expect(await gate.admit('cafe\u0301\0 \ud83d\t\r\n')).toBe('café \ufffd\t\r\n')
  })

  it('holds no secret, also where a control character stood in its midst', async () => {
    expect(await gate.admit('my password is hun\u001bter2')).toBe('my password is [masked: password]')
  })

  it('passes it again unchanged, as an import of what was exported must', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          hostileText.map(({ text }) => text),
          fc.string({ unit: 'binary' }),
        ),
        async (text) => {
          const admitted = await gate.admit(text)
          expect(await gate.admit(admitted)).toBe(admitted)
        },
      ),
    )
  })

  it('keeps its secrets where masking is turned off, and is well-formed all the same', async () => {
    expect(await open.admit('my password is hunter2 \ud83d')).toBe('my password is hunter2 \ufffd')
  })

  it('tells of each kind that was masked', async () => {
    const told: unknown[] = []
    await gate.admit('my password is hunter2, and the card 4242 4242 4242 4242', (secret) =>
      told.push(secret),
    )
    expect(told).toEqual([
      { kind: 'password', count: 1 },
      { kind: 'card number', count: 1 },
    ])
  })
})

describe('a short text that comes again', () => {
  const looking = () => {
    const looked: string[] = []
    const mask = (text: string) => (looked.push(text), maskSecrets(text))
    return { looked, counting: new TextGate({ maskSecrets: true, mask }) }
  }

  it('is looked through once, as long as it holds no secret', async () => {
    const { looked, counting } = looking()
    for (let time = 0; time < 3; time += 1) expect(await counting.admit('turn')).toBe('turn')
    expect(looked).toEqual(['turn'])
  })

  it('is masked, and told of, each time when it holds one', async () => {
    const { counting } = looking()
    const told: unknown[] = []
    for (let time = 0; time < 2; time += 1)
      expect(await counting.admit('my pin is 4821', (one) => told.push(one))).toBe(
        'my pin is [masked: password]',
      )
    expect(told).toHaveLength(2)
  })

  it('is looked through again after many others: no more is kept than has room', async () => {
    const { looked, counting } = looking()
    await counting.admit('turn')
    for (let other = 0; other < 5_000; other += 1) await counting.admit(`Line ${other}.`)
    await counting.admit('turn')
    expect(looked.filter((text) => text === 'turn')).toHaveLength(2)
  })
})

it('admits every text in a value, and leaves what is no text', async () => {
  const value = { text: 'Hi.\0', list: ['my pin is 4821', 7, null, { deep: true }] }
  expect(await gate.admitAll(value)).toEqual({
    text: 'Hi.',
    list: ['my pin is [masked: password]', 7, null, { deep: true }],
  })
})

describe('a name', () => {
  it('is let in as it is, again and again, and may be absent', async () => {
    for (const name of ['ana', '0191b0f4-6f0e-7c3a-9f3e-0123456789ab/12', 'ana'])
      await expect(gate.requireNames({ name, session: undefined, app: null })).resolves.toBeUndefined()
  })

  it.each([
    [{ user: 'a\0na' }, 'user holds control characters, which cannot be part of a name.'],
    [
      { user: 'ana', session: 'my password is hunter2' },
      'session holds what looks like a secret, and secrets are not stored. Name it otherwise, or open with `maskSecrets: false`.',
    ],
  ])('%j is refused, by the field that holds it', async (names, message) => {
    await expect(gate.requireNames(names)).rejects.toThrow(new InvalidInputError(message))
  })

  it('that is a secret is let in where masking is turned off', async () => {
    await expect(open.requireNames({ session: 'my password is hunter2' })).resolves.toBeUndefined()
  })
})
