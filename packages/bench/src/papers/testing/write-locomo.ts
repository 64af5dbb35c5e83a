import { writeScratch } from '../../datasets/testing/edit-fixture.ts'

/** Writes a small data set in LoCoMo's form: one talk of two sessions. */
export function writeLocomo(): string {
  const session = (at: string, n: number, said: readonly string[]) => ({
    [`session_${n}_date_time`]: at,
    [`session_${n}`]: said.map((text, place) => ({
      speaker: place % 2 === 0 ? 'Nadia' : 'Tom',
      dia_id: `D${n}:${place + 1}`,
      text,
    })),
  })
  const sample = {
    sample_id: 'conv-own',
    conversation: {
      speaker_a: 'Nadia',
      speaker_b: 'Tom',
      ...session('12:05 am on 3 March, 2024', 1, [
        'I bought a red kite in Porto',
        'Soup for lunch again',
        'My cousin Ilse plays the harp',
        'The tram was late',
      ]),
      ...session('1:00 pm on 9 March, 2024', 2, [
        'The kite tore in the wind',
        'I watched a film',
        'Ilse has a concert in May',
        'It rained',
      ]),
    },
    observation: { session_1_observation: { Nadia: [['Nadia bought a red kite in Porto.', 'D1:1']] } },
    event_summary: {
      events_session_2: { Nadia: ['Nadia’s kite tears in the wind.'], Tom: [], date: '9 March, 2024' },
    },
    qa: [
      { question: 'Where did Nadia buy the kite?', answer: 'Porto', category: 4, evidence: ['D1:1'] },
      { question: 'What does Ilse play?', answer: 'The harp', category: 4, evidence: ['D1:3'] },
      { question: 'When is the concert?', answer: 'In May', category: 2, evidence: ['D2:3'] },
    ],
  }
  return writeScratch('locomo.json', JSON.stringify([sample]))
}
