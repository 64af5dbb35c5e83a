import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import { keyTable } from '../persona/key-table.ts'
import type { KnownFact } from './known-facts.ts'
import { mergeByKey, type MergeOptions } from './merge-by-key.ts'

const options: MergeOptions = {
  table: keyTable(),
  similarity: (one, other) => (one.includes('spicy') && other.includes('spicy') ? 0.9 : 0.1),
  threshold: 0.8,
}

function fact(key: string, value: string, at = 100, rest: Partial<KnownFact> = {}): KnownFact {
  const evidence = [{ turn: `t-${value}`, quote: value }]
  const base = {
    id: `${key}:${value}`,
    subject: 'user',
    key,
    value,
    text: `The user: ${value}.`,
    evidence,
    past: [],
    pinned: false,
  }
  return { ...base, validFrom: at, validUntil: null, ...rest }
}

function said(key: string, value: string, at = 200, rest: Partial<Candidate> = {}): Candidate {
  const signals = { arousal: null, surprise: null, importance: null }
  const evidence = [{ turn: `u${at}`, quote: value }]
  const base: Candidate = {
    form: 'fact',
    type: 'persona',
    subject: 'user',
    text: `The user: ${value}.`,
    key,
    value,
    level: 0,
    evidence,
    validFrom: at,
    validUntil: null,
    signals,
  }
  return { ...base, ...rest }
}

describe('replace', () => {
  it('lets the new value win and keeps the old one as past', () => {
    const [decision] = mergeByKey([fact('age', '34')], [said('age', '35')], options)
    expect(decision).toMatchObject({
      kind: 'modify',
      memory: 'age:34',
      change: { value: '35', validFrom: 200, past: [{ value: '34', validFrom: 100, validUntil: 200 }] },
    })
  })
  it('adds the first value', () => {
    expect(mergeByKey([], [said('age', '35')], options)).toMatchObject([{ kind: 'add' }])
  })
  it('takes the same value again as more evidence', () => {
    expect(mergeByKey([fact('name', 'Tom')], [said('name', 'tom')], options)).toMatchObject([
      { kind: 'none', memory: 'name:Tom', evidence: [{ turn: 'u200' }] },
    ])
  })
  it('takes a value that says more as the same, from the same time', () => {
    const [decision] = mergeByKey([fact('name', 'Tom')], [said('name', 'Tom Baker')], options)
    expect(decision).toMatchObject({ kind: 'modify', change: { value: 'Tom Baker' } })
    expect(decision).not.toHaveProperty('change.past')
    expect(mergeByKey([fact('name', 'Tom Baker')], [said('name', 'Tom')], options)).toMatchObject([
      { kind: 'none' },
    ])
  })
  it('never lets an older statement overwrite a newer one', () => {
    const [decision] = mergeByKey([fact('age', '35', 300)], [said('age', '34', 200)], options)
    expect(decision).toMatchObject({
      kind: 'modify',
      change: { past: [{ value: '34', validFrom: 200, validUntil: 300 }] },
    })
    expect(decision).not.toHaveProperty('change.value')
  })
  it('keeps subjects apart', () => {
    expect(
      mergeByKey([fact('age', '34')], [said('age', '7', 200, { subject: 'Anna' })], options),
    ).toMatchObject([{ kind: 'add' }])
  })
  it('sees what the same snapshot said before', () => {
    const decisions = mergeByKey([], [said('age', '35', 300), said('age', '34', 200)], options)
    expect(decisions).toMatchObject([
      { kind: 'add', ref: 'new:0', candidate: { value: '34' } },
      { kind: 'modify', memory: 'new:0', change: { value: '35' } },
    ])
  })
})

describe('append', () => {
  it('adds another value and knows the same one in another form', () => {
    expect(mergeByKey([fact('hobbies', 'hiking')], [said('hobbies', 'pottery')], options)).toMatchObject([
      { kind: 'add' },
    ])
    expect(mergeByKey([fact('hobbies', 'the piano')], [said('hobbies', 'Piano!')], options)).toMatchObject([
      { kind: 'none' },
    ])
  })
  it('keeps the general and the particular apart where both can hold', () => {
    expect(mergeByKey([fact('likes', 'green tea')], [said('likes', 'tea')], options)).toMatchObject([
      { kind: 'add' },
    ])
  })
  it('names a pet known without a name', () => {
    expect(mergeByKey([fact('pets', 'dog')], [said('pets', 'dog Rex')], options)).toMatchObject([
      { kind: 'modify', change: { value: 'dog Rex' } },
    ])
  })
})

describe('the built-in keys', () => {
  it('tell a happening again at another time from the same one told twice', () => {
    const day = 86_400_000
    const known = [fact('experiences', 'went to the museum', day)]
    expect(mergeByKey(known, [said('experiences', 'went to the museum', 1.5 * day)], options)).toMatchObject([
      { kind: 'none' },
    ])
    expect(mergeByKey(known, [said('experiences', 'went to the museum', 9 * day)], options)).toMatchObject([
      { kind: 'add' },
    ])
    expect(
      mergeByKey([fact('plans', 'visit Oslo', day)], [said('plans', 'visit Oslo', 9 * day)], options),
    ).toMatchObject([{ kind: 'none' }])
  })
  it('let what is told of a partner stand beside their name', () => {
    const known = [fact('partner', 'wife Maria')]
    expect(mergeByKey(known, [said('relatives', 'wife works at a bank')], options)).toMatchObject([
      { kind: 'add' },
    ])
    expect(mergeByKey(known, [said('partner', 'wife')], options)).toMatchObject([{ kind: 'none' }])
  })
  it('let studies at a place and of a subject stand together', () => {
    const known = [fact('education', 'student at Uppsala University')]
    expect(mergeByKey(known, [said('education', 'marine biology')], options)).toMatchObject([{ kind: 'add' }])
  })
})

describe('trajectory', () => {
  it('adds the new value and closes the old one', () => {
    expect(mergeByKey([fact('residence', 'Lyon')], [said('residence', 'Paris')], options)).toMatchObject([
      { kind: 'modify', memory: 'residence:Lyon', change: { validUntil: 200 } },
      { kind: 'add', candidate: { value: 'Paris', validUntil: null } },
    ])
  })
  it('puts a value told late between the others', () => {
    const known = [fact('residence', 'Lyon', 100, { validUntil: 300 }), fact('residence', 'Paris', 300)]
    expect(mergeByKey(known, [said('residence', 'Rome', 200)], options)).toMatchObject([
      { kind: 'modify', memory: 'residence:Lyon', change: { validUntil: 200 } },
      { kind: 'add', candidate: { value: 'Rome', validUntil: 300 } },
    ])
  })
  it('adds a place moved back to', () => {
    const known = [fact('residence', 'Lyon', 100, { validUntil: 150 }), fact('residence', 'Paris', 150)]
    expect(
      mergeByKey(known, [said('residence', 'Lyon', 200)], options).map((decision) => decision.kind),
    ).toEqual(['modify', 'add'])
  })
  it('closes a value told as over, and touches no other', () => {
    const over = { validUntil: 200 }
    expect(
      mergeByKey([fact('residence', 'Lyon')], [said('residence', 'Lyon', 200, over)], options),
    ).toMatchObject([{ kind: 'modify', change: { validUntil: 200 } }])
    expect(
      mergeByKey([fact('residence', 'Lyon')], [said('residence', 'Rome', 200, over)], options),
    ).toMatchObject([{ kind: 'add' }])
  })
})

describe('contradictory', () => {
  it('deletes a similar value on the opposite side', () => {
    expect(
      mergeByKey(
        [fact('likes', 'spicy food'), fact('likes', 'jazz')],
        [said('dislikes', 'very spicy dishes')],
        options,
      ),
    ).toMatchObject([{ kind: 'delete', memory: 'likes:spicy food', validUntil: 200 }, { kind: 'add' }])
  })
  it('deletes the same value whatever the embedder says', () => {
    expect(mergeByKey([fact('likes', 'jazz')], [said('dislikes', 'Jazz')], options)).toMatchObject([
      { kind: 'delete' },
      { kind: 'add' },
    ])
  })
  it('does nothing when the opposite was said later', () => {
    expect(mergeByKey([fact('likes', 'jazz', 300)], [said('dislikes', 'jazz', 200)], options)).toMatchObject([
      { kind: 'none', memory: 'likes:jazz', evidence: [] },
    ])
  })
  it('takes back a value of the same snapshot', () => {
    const decisions = mergeByKey([], [said('likes', 'jazz', 100), said('dislikes', 'jazz', 200)], options)
    expect(decisions).toMatchObject([
      { kind: 'add', ref: 'new:0' },
      { kind: 'delete', memory: 'new:0' },
      { kind: 'add', ref: 'new:1' },
    ])
  })
})

describe('complex', () => {
  it('is appended by rule and handed to a model where there is one', () => {
    const promise = said('promises', 'to call on Sunday')
    expect(mergeByKey([], [promise], options)).toMatchObject([{ kind: 'add' }])
    const seen: string[] = []
    const mergeComplex = (candidate: Candidate): null => {
      seen.push(candidate.value ?? '')
      return null
    }
    mergeByKey([], [promise], { ...options, mergeComplex })
    expect(seen).toEqual(['to call on Sunday'])
  })
})

describe('facts without a key', () => {
  it('are known when the same sentence is', () => {
    const known = fact('', '', 100, { key: null, value: null, text: 'The user went to Rome.' })
    expect(
      mergeByKey(
        [known],
        [said('', '', 200, { key: null, value: null, text: 'The user went to Rome' })],
        options,
      ),
    ).toMatchObject([{ kind: 'none' }])
    expect(
      mergeByKey(
        [known],
        [said('', '', 200, { key: null, value: null, text: 'The user went to Oslo.' })],
        options,
      ),
    ).toMatchObject([{ kind: 'add' }])
  })
})
