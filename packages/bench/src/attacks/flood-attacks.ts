import { again, type Attack } from './attack.ts'

const AT_A_TIME = 32
/** Of a request. */
const MOST_TURNS = 1_000
const LONG_NAME = 100_000

/** As deep as fits into a request. */
const DEEP = 200_000

/** How much is asked is the weapon. */
export const floodAttacks: readonly Attack[] = [
  {
    name: 'erase-storm',
    about: 'Turns are remembered and erased for good, as fast as it goes.',
    run: (assault) =>
      again(assault, AT_A_TIME, async (index) => {
        const id = `erase-${index}`
        await assault.send('POST', '/v1/scopes/attacker/turns', {
          turns: [{ role: 'user', text: `I keep number ${index}.`, id }],
        })
        await assault.send('POST', '/v1/scopes/attacker/erase', { turns: [id] })
      }),
  },
  {
    name: 'deep-json',
    about: 'Bodies and metadata of hundreds of thousands of brackets.',
    run: (assault) =>
      again(assault, AT_A_TIME, async () => {
        const deep = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`
        const body = `{"turns":[{"role":"user","text":"Hello.","metadata":{"a":${deep}}}]}`
        await assault.send('POST', '/v1/scopes/attacker/turns', body)
      }),
  },
  {
    name: 'many-scopes',
    about: 'Every request is about a new person.',
    run: (assault) =>
      again(assault, AT_A_TIME, (index) =>
        assault.send('POST', `/v1/scopes/person-${index}/turns`, {
          turns: [{ role: 'user', text: `I am number ${index}, and live in Lyon.` }],
        }),
      ),
  },
  {
    name: 'huge-ids',
    about: 'Names, sessions and ids of a hundred thousand characters.',
    run: (assault) =>
      again(assault, AT_A_TIME, async (index) => {
        const long = `${index}-${'n'.repeat(LONG_NAME)}`
        const turns = [{ role: 'user', text: 'Hello.', id: long, speaker: long }]
        await assault.send('POST', '/v1/scopes/attacker/turns', { turns, session: long })
        await assault.send('POST', '/v1/scopes/attacker/erase', {
          turns: Array.from({ length: 9 }, () => long),
        })
      }),
  },
  {
    name: 'recall-storm',
    about: 'Questions of thousands of words about a memory that has all of them.',
    run: async (assault) => {
      const words = Array.from({ length: 2_000 }, (_, index) => `word${index}`)
      const turns = words.map((word) => ({ role: 'user', text: `I said ${word} about ${word} in ${word}.` }))
      for (let from = 0; from < turns.length; from += MOST_TURNS)
        await assault.send('POST', '/v1/scopes/attacker/turns', {
          turns: turns.slice(from, from + MOST_TURNS),
        })
      const question = words.join(' ').slice(0, 9_000)
      await again(assault, AT_A_TIME, () =>
        assault.send('POST', '/v1/scopes/attacker/recall', { question, limit: 100 }),
      )
    },
  },
  {
    name: 'imports',
    about: 'A person’s export of ten thousand turns is read back under new names.',
    run: async (assault) => {
      const turns = Array.from({ length: 1_000 }, (_, index) => ({ role: 'user', text: `Line ${index}.` }))
      for (let part = 0; part < 10; part++) await assault.send('POST', '/v1/scopes/exported/turns', { turns })
      const exported = await assault.send('GET', '/v1/scopes/exported/export')
      const lines = (await exported?.text()) ?? ''
      await again(assault, 4, (index) =>
        assault.send('POST', '/v1/import', lines.replace('"user":"exported"', `"user":"imported-${index}"`)),
      )
    },
  },
]
