import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import { keyTable } from '@keepsake/text'
import type { KnownFact } from '../facts/fact-lookup.ts'
import { mergeByKey, type MergeOptions } from './merge-facts.ts'

const options: MergeOptions = {
  table: keyTable(),
  isAlike: (one, other) => one.includes('spicy') && other.includes('spicy'),
}

const DAY = 86_400_000

function fact(key: string, value: string, at = 100, rest: Partial<KnownFact> = {}): KnownFact {
  const evidence = [{ turn: `t-${value}`, quote: value }]
  const text = `The user: ${value}.`
  return makeFact({ id: `${key}:${value}`, key, value, text, evidence, validFrom: at, ...rest })
}

function said(key: string, value: string, at = 200, rest: Partial<Candidate> = {}): Candidate {
  const evidence = [{ turn: `u${at}`, quote: value }]
  return makeCandidate({ key, value, text: `The user: ${value}.`, evidence, validFrom: at, ...rest })
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
  it('keeps what a whole statement tells besides a value that is known, or known more exactly', () => {
    const whole = { ...options, keepsOtherContent: true }
    const flat = fact('residence', 'Elm Street', 100, {
      text: 'Ana lives on Elm Street with two cats, for 900 a month.',
    })
    const stays = said('residence', 'Elm Street', 200, {
      text: 'The well was bad, so Ana walked away from the farm and is still on Elm Street.',
    })
    expect(mergeByKey([flat], [stays], whole)).toMatchObject([
      { kind: 'add', candidate: { key: null, value: null, text: stays.text } },
    ])
    const exact = said('residence', '12 Elm Street', 200, { text: 'Ana lives at 12 Elm Street.' })
    expect(mergeByKey([flat], [exact], whole)).toMatchObject([
      { kind: 'add', candidate: { text: exact.text, key: null } },
    ])
    const again = said('residence', 'Elm Street', 200, { text: 'Ana still lives on Elm Street.' })
    expect(mergeByKey([flat], [again], whole)).toMatchObject([{ kind: 'confirm' }])
    expect(mergeByKey([flat], [stays], options)).toMatchObject([{ kind: 'confirm' }])
  })
  it('takes a value that says more as the same, from the same time', () => {
    const [decision] = mergeByKey([fact('name', 'Tom')], [said('name', 'Tom Baker')], options)
    expect(decision).toMatchObject({ kind: 'modify', change: { value: 'Tom Baker' } })
    expect(decision).not.toHaveProperty('change.past')
    expect(mergeByKey([fact('name', 'Tom Baker')], [said('name', 'Tom')], options)).toMatchObject([
      { kind: 'confirm' },
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
  it('takes the place of what holds from the very same time', () => {
    expect(mergeByKey([fact('age', '34', 200)], [said('age', '35', 200)], options)).toMatchObject([
      { kind: 'modify', change: { value: '35' } },
    ])
  })
  it('keeps a value that says more as past when it held before', () => {
    expect(mergeByKey([fact('name', 'Tom', 100)], [said('name', 'Tom Baker', 50)], options)).toMatchObject([
      { kind: 'modify', change: { past: [{ value: 'Tom Baker', validFrom: 50, validUntil: 100 }] } },
    ])
  })
  it('replaces nothing that is over, nor by what is told as over', () => {
    const over = [fact('age', '34', 100, { validUntil: 150 })]
    expect(mergeByKey(over, [said('age', '35')], options)).toMatchObject([{ kind: 'add' }])
    const told = said('age', '33', 50, { validUntil: 90 })
    expect(mergeByKey([fact('age', '34')], [told], options)).toMatchObject([{ kind: 'add', candidate: told }])
    const ended = said('age', '34', 50, { validUntil: 190 })
    expect(mergeByKey([fact('age', '34')], [ended], options)).toMatchObject([
      { kind: 'modify', change: { validUntil: 190 } },
    ])
  })
})

describe('append', () => {
  it.each([
    ['sister lives in Rome', 'sister lives in Turin', 'modify'],
    ['妹妹住在成都', '妹妹住在重庆', 'modify'],
    ['sister lives in Rome', 'brother lives in Turin', 'add'],
    ['sister lives in Rome', 'sister works at Fiat', 'add'],
  ])('has one home or work for a relative: %s, %s', (known, fresh, kind) => {
    expect(mergeByKey([fact('siblings', known)], [said('siblings', fresh)], options)).toMatchObject([
      { kind },
    ])
  })
  it('adds another value and knows the same one in another form', () => {
    expect(mergeByKey([fact('hobbies', 'hiking')], [said('hobbies', 'pottery')], options)).toMatchObject([
      { kind: 'add' },
    ])
    expect(mergeByKey([fact('hobbies', 'the piano')], [said('hobbies', 'Piano!')], options)).toMatchObject([
      { kind: 'confirm' },
    ])
  })
  it('knows the general where one thing is meant', () => {
    expect(mergeByKey([fact('pets', 'dog Rex')], [said('pets', 'dog')], options)).toMatchObject([
      { kind: 'confirm', memory: 'pets:dog Rex' },
    ])
  })
  it('names no pet that is no more', () => {
    const gone = fact('pets', 'dog', 100, { validUntil: 150 })
    expect(mergeByKey([gone], [said('pets', 'dog Rex')], options)).toMatchObject([{ kind: 'add' }])
  })
  it('names a pet known without a name', () => {
    expect(mergeByKey([fact('pets', 'dog')], [said('pets', 'dog Rex')], options)).toMatchObject([
      { kind: 'modify', change: { value: 'dog Rex' } },
    ])
  })
})

describe('the built-in keys', () => {
  it('tell a happening again at another time from the same one told twice', () => {
    const known = [fact('experiences', 'went to the museum', DAY)]
    expect(mergeByKey(known, [said('experiences', 'went to the museum', 1.5 * DAY)], options)).toMatchObject([
      { kind: 'confirm' },
    ])
    expect(mergeByKey(known, [said('experiences', 'went to the museum', 9 * DAY)], options)).toMatchObject([
      { kind: 'add' },
    ])
    expect(
      mergeByKey([fact('plans', 'visit Oslo', DAY)], [said('plans', 'visit Oslo', 9 * DAY)], options),
    ).toMatchObject([{ kind: 'confirm' }])
  })
  it('take what happened for told twice up to a day apart', () => {
    const known = [fact('experiences', 'went home', 40 * DAY), fact('experiences', 'went home', 10 * DAY)]
    const kinds = (at: number) =>
      mergeByKey(known, [said('experiences', 'went home', at)], options).map(({ kind }) => kind)
    expect([kinds(9 * DAY), kinds(11 * DAY)]).toEqual([['confirm'], ['confirm']])
    expect([kinds(9 * DAY - 1), kinds(11 * DAY + 1)]).toEqual([['add'], ['add']])
  })
  it('let what is told of a partner stand beside their name', () => {
    const known = [fact('partner', 'wife Maria')]
    expect(mergeByKey(known, [said('relatives', 'wife works at a bank')], options)).toMatchObject([
      { kind: 'add' },
    ])
    expect(mergeByKey(known, [said('partner', 'wife')], options)).toMatchObject([{ kind: 'confirm' }])
  })
})

describe('trajectory', () => {
  it('knows the value that holds, also in fewer words', () => {
    const known = [fact('residence', 'Rome', 50, { validUntil: 100 }), fact('residence', 'Lyon, France')]
    for (const value of ['lyon, France', 'Lyon'])
      expect(mergeByKey(known, [said('residence', value)], options)).toMatchObject([
        { kind: 'confirm', memory: 'residence:Lyon, France', evidence: [{ turn: 'u200' }] },
      ])
  })
  it('says the value that holds more exactly, from when it held, unless that was before', () => {
    const known = [fact('residence', 'Lyon')]
    for (const at of [100, 200]) {
      const [decision] = mergeByKey(known, [said('residence', 'Lyon, France', at)], options)
      expect(decision).toMatchObject({ kind: 'modify', change: { value: 'Lyon, France' } })
      expect(decision).not.toHaveProperty('change.past')
    }
    expect(mergeByKey(known, [said('residence', 'Lyon, France', 99)], options)).toMatchObject([
      {
        kind: 'add',
        candidate: { validFrom: 99, validUntil: 100 },
      },
    ])
  })
  it('finds a value’s place among those known, in whatever order they are', () => {
    const known = [
      fact('residence', 'Oslo', 400),
      fact('residence', 'Paris', 300, { validUntil: 400 }),
      fact('residence', 'Lyon', 100, { validUntil: 300 }),
    ]
    expect(mergeByKey(known, [said('residence', 'Rome', 200)], options)).toMatchObject([
      { memory: 'residence:Lyon', change: { validUntil: 200 } },
      { kind: 'add', candidate: { value: 'Rome', validUntil: 300 } },
    ])
  })
  it('closes what began at the same time, and not what had ended by then', () => {
    const known = [fact('residence', 'Lyon', 100, { validUntil: 200 }), fact('residence', 'Paris', 200)]
    expect(mergeByKey(known, [said('residence', 'Rome', 200)], options)).toMatchObject([
      { kind: 'modify', memory: 'residence:Paris', change: { validUntil: 200 } },
      { kind: 'add', candidate: { value: 'Rome', validUntil: null } },
    ])
  })
  it('says nothing more exactly that is over', () => {
    const known = [fact('residence', 'Lyon', 100, { validUntil: 150 })]
    expect(mergeByKey(known, [said('residence', 'Lyon, France')], options)).toMatchObject([{ kind: 'add' }])
  })
  it('compares with the latest where all are over', () => {
    const known = [
      fact('residence', 'Rome', 150, { validUntil: 180 }),
      fact('residence', 'Lyon', 100, { validUntil: 150 }),
      fact('residence', 'Oslo', 50, { validUntil: 100 }),
    ]
    const told = (value: string, validUntil: number | null) =>
      mergeByKey(known, [said('residence', value, 200, { validUntil })], options)
    expect(told('Rome', 210)).toMatchObject([{ kind: 'confirm', memory: 'residence:Rome' }])
    expect(told('Lyon', 210)).toMatchObject([{ kind: 'add' }])
    expect(told('Rome', null)).toMatchObject([{ kind: 'add' }])
  })
  it('puts a value told late between the others', () => {
    const known = [fact('residence', 'Lyon', 100, { validUntil: 300 }), fact('residence', 'Paris', 300)]
    expect(mergeByKey(known, [said('residence', 'Rome', 200)], options)).toMatchObject([
      { kind: 'modify', memory: 'residence:Lyon', change: { validUntil: 200 } },
      { kind: 'add', candidate: { value: 'Rome', validUntil: 300 } },
    ])
  })
  it('takes the later word of a change shortly before, though what is known was told between', () => {
    const told = (validFrom: number, at: number, known = [fact('residence', 'Lyon', 100 * DAY)]) =>
      mergeByKey(known, [said('residence', 'Paris', validFrom * DAY)], {
        ...options,
        statedAt: () => at * DAY,
      })
    expect(told(95, 102)).toMatchObject([
      { kind: 'modify', memory: 'residence:Lyon', change: { validUntil: 102 * DAY } },
      { kind: 'add', candidate: { value: 'Paris', validFrom: 102 * DAY, validUntil: null } },
    ])
    const past = [{ kind: 'add', candidate: { value: 'Paris', validUntil: 100 * DAY } }]
    expect(told(5, 102)).toMatchObject(past)
    expect(told(95, 99)).toMatchObject(past)
    const moved = [
      fact('residence', 'Paris', 90 * DAY, { validUntil: 100 * DAY }),
      fact('residence', 'Lyon', 100 * DAY),
    ]
    expect(told(95, 102, moved)).toEqual(told(95, 99, moved))
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
  it('deletes what means the same, and says why', () => {
    const like = (isAlike: boolean) =>
      mergeByKey([fact('likes', 'jazz')], [said('dislikes', 'swing')], { ...options, isAlike: () => isAlike })
    expect(like(true)).toMatchObject([
      { kind: 'delete', memory: 'likes:jazz', request: null, reason: 'dislikes now holds what likes held' },
      { kind: 'add' },
    ])
    expect(like(false).map(({ kind }) => kind)).toEqual(['add'])
  })
  it('deletes what was said at the same time', () => {
    const known = [fact('likes', 'jazz', 200)]
    expect(mergeByKey(known, [said('dislikes', 'jazz', 200)], options).map(({ kind }) => kind)).toEqual([
      'delete',
      'add',
    ])
  })
  it('deletes nothing by what is told as over', () => {
    const over = said('dislikes', 'jazz', 200, { validUntil: 300 })
    expect(mergeByKey([fact('likes', 'jazz')], [over], options)).toMatchObject([
      { kind: 'add', candidate: over },
    ])
  })
  it('stands back for the newest of those said later', () => {
    const known = [fact('likes', 'jazz', 400), fact('likes', 'Jazz', 300)]
    expect(mergeByKey(known, [said('dislikes', 'jazz', 200)], options)).toEqual([
      { kind: 'confirm', memory: 'likes:jazz', evidence: [] },
    ])
  })
})

describe('complex', () => {
  const promise = said('promises', 'to call on Sunday')
  it('is what a model says that was shown the values of its key, and else the rule', () => {
    const known = [fact('promises', 'a letter'), fact('likes', 'jazz')]
    const shown: (readonly KnownFact[])[] = []
    const answers = [null, [{ kind: 'confirm', memory: 'promises:a letter', evidence: [] }] as const]
    const mergeComplex: MergeOptions['mergeComplex'] = (_, ofKey) => {
      shown.push(ofKey)
      return answers[shown.length - 1] ?? null
    }
    const merge = () => mergeByKey(known, [promise], { ...options, mergeComplex })
    expect(merge()).toMatchObject([{ kind: 'add' }])
    expect(merge()).toEqual(answers[1])
    expect(shown[0]).toEqual(known.slice(0, 1))
  })
})

describe('facts that fit no key', () => {
  const statement = (text: string, rest: Partial<Candidate> = {}) =>
    said('', '', 200, { key: null, value: null, text, ...rest })
  const rome = fact('', '', 100, { key: null, value: null, text: 'The user went to Rome.' })

  it('are known when the same sentence is, the first of two', () => {
    const twin = { ...rome, id: 'twin' }
    expect(mergeByKey([rome, twin], [statement('The user went to Rome')], options)).toMatchObject([
      { kind: 'confirm', memory: rome.id },
    ])
    const oslo = statement('The user went to Oslo.')
    expect(mergeByKey([rome], [oslo], options)).toEqual([{ kind: 'add', ref: 'new:0', candidate: oslo }])
  })
  it('are those of a key that is not in the table, or without a value', () => {
    for (const told of [
      { key: 'shoe-size', value: '44' },
      { key: 'likes', value: null },
      { key: null, value: '44' },
    ]) {
      expect(mergeByKey([rome], [statement(rome.text, told)], options)).toMatchObject([{ kind: 'confirm' }])
      expect(mergeByKey([rome], [statement('The user sings.', told)], options)).toMatchObject([
        { kind: 'add' },
      ])
    }
  })
})
