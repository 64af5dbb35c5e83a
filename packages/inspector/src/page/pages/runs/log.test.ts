import { expect, it } from 'vitest'
import * as harness from '../../../../../bench/src/log/log-entry.ts'
import { LOST_STEPS, questionKey, readLog, type RunLog } from './log.ts'

async function read(entries: readonly object[], torn = ''): Promise<RunLog> {
  async function* lines(): AsyncGenerator<string> {
    await Promise.resolve()
    for (const entry of entries) yield JSON.stringify(entry)
    yield torn
  }
  return readLog(lines())
}

const ASKED = { conversation: 'c1', question: 'q1', category: 'fact', text: 'Where are the bees?' }

it('keeps a wrong answer with the step that lost it, and how every question ended', async () => {
  const log = await read([
    {
      entry: 'answer',
      ...ASKED,
      outcome: 'hallucinated',
      lost: 'forgotten',
      answer: 'Here.',
      reference: 'There.',
    },
    { entry: 'answer', ...ASKED, question: 'q2', outcome: 'correct', lost: null },
    { entry: 'done', conversation: 'c1' },
  ])
  expect(log.asked).toBe(2)
  expect(log.wrongAnswers).toMatchObject([
    { question: 'q1', verdict: 'hallucinated', lost: 'forgotten', answer: 'Here.', reference: 'There.' },
  ])
  expect([...log.endings.values()]).toEqual([{ verdict: 'hallucinated', lost: 'forgotten' }, null])
})

it('reads probes and everyday questions, which name no step', async () => {
  const log = await read([
    { entry: 'probe', ...ASKED, choices: ['Berlin', 'Rome'], correct: 1, chosen: 0 },
    { entry: 'probe', ...ASKED, question: 'q2', choices: ['a', 'b'], correct: 1, chosen: null },
    { entry: 'everyday', ...ASKED, answerable: true, inContext: false, known: true },
    { entry: 'everyday', ...ASKED, question: 'q2', answerable: false, inContext: null, known: true },
    { entry: 'everyday', ...ASKED, question: 'q3', answerable: true, inContext: true, known: true },
  ])
  expect(
    log.wrongAnswers.map(({ verdict, lost, answer, reference }) => [verdict, lost, answer, reference]),
  ).toEqual([
    ['wrong-choice', null, 'Berlin', 'Rome'],
    ['no-choice', null, '', 'b'],
    ['not-in-context', null, '', ''],
    ['wrongly-known', null, '', ''],
  ])
  expect(log.asked).toBe(5)
})

it('says at which place the evidence was found', async () => {
  const log = await read([{ entry: 'retrieval', ...ASKED, units: ['s1', 's4'], evidence: ['s4', 's9'] }])
  expect(log.evidence.get(questionKey('c1', 'q1'))).toEqual([
    { unit: 's4', place: 2 },
    { unit: 's9', place: null },
  ])
})

it('passes over a line that was cut off, and counts it', async () => {
  const log = await read([{ entry: 'answer', ...ASKED, outcome: 'correct' }], '{"entry":"ans')
  expect([log.asked, log.unread, log.lines]).toEqual([1, 1, 2])
})

it('knows the steps that the harness names, in their order', () => {
  expect(LOST_STEPS).toEqual(harness.LOST_STEPS)
})
