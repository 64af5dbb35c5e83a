import { describe, expect, it } from 'vitest'
import type { ForgettingTalk } from './forgetting-talk.ts'
import { holdOutImportance } from './hold-out-importance.ts'
import { talkOf, unitOf } from './testing/sample-talk.ts'

const signals = () => ({ arousal: 3, surprise: 20, importance: 5 })

/** Makes a talk of one session. Questions are about the units whose text starts with `*`. */
function markedTalk(name: string, texts: readonly string[]): ForgettingTalk {
  const units = texts.map((text, i) => unitOf(`${name}-${i}`, 1, { text: text.replace('*', ''), at: i }))
  const correct = new Set(units.filter((_, i) => texts[i]?.startsWith('*')).map(({ id }) => id))
  return talkOf(name, units, [{ text: 'which?', session: 1, correct }])
}

/** In both talks, questions are about long units. In the first these are about the speaker, in the second they have names. */
const ofOneself = markedTalk('Ana', [
  '*I repaired my bicycle and painted the garden fence',
  '*We bought tickets and planned our holiday',
  '*My dentist moved and I was late',
  'ok',
  'sure thing',
  'great weather today',
])
const withNames = markedTalk('Bo', [
  '*the train goes from Porto via Coimbra to Lisbon',
  '*then Rita met Tom at Rossio station',
  '*the concert of Mozart in Vienna was long',
  'I see',
  'I do think so',
  'my goodness, I never',
])

describe('holdOutImportance', () => {
  it('judges each talk by what was asked of the others', () => {
    const heldOut = holdOutImportance([ofOneself, withNames], signals)
    // Bo's questions are about names and not about himself; Ana is judged by them, and Bo by hers.
    expect(heldOut?.weights['Ana']?.specifics).toBeGreaterThan(heldOut?.weights['Ana']?.firstPerson ?? 0)
    expect(heldOut?.weights['Bo']?.firstPerson).toBeGreaterThan(heldOut?.weights['Bo']?.specifics ?? 0)
  })

  it('does not change with what is asked of the talk itself', () => {
    const other = {
      ...ofOneself,
      questions: [{ text: 'x', session: 1, correct: new Set(['Ana-0', 'Ana-1']) }],
    }
    const judged = (talk: ForgettingTalk) => {
      const heldOut = holdOutImportance([talk, withNames], signals)
      return talk.units.map((unit) => heldOut?.signals(unit).importance)
    }
    expect(judged(other)).toEqual(judged(ofOneself))
  })
})
