import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What an attacker has: one ordinary key, and some seconds. */
export interface Attacker {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** When the attack ends, by `performance.now()`. */
  readonly until: number
  /** Sends a request with a JSON body; `null` when the connection breaks. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<Response | null>
}

type Attack = (attacker: Attacker) => Promise<void>

/** Longest turn that the server takes, in characters. */
const LONGEST_TURN = 100_000
/** Turns of that length in one request. */
const LONG_TURNS_PER_REQUEST = 3
const MAX_TURNS_PER_REQUEST = 1_000
const SLOW_CONNECTIONS = 300
const STREAMS = 1_500

const TURNS = '/v1/scopes/attacker/turns'
const userTurns = (texts: readonly string[]) => ({ turns: texts.map((text) => ({ role: 'user', text })) })

/** Repeats a call in parallel lanes until the time is over, in each lane at least once. */
async function repeat(
  { until }: Attacker,
  lanes: number,
  call: (index: number) => Promise<unknown>,
): Promise<void> {
  let index = 0
  const runLane = async (): Promise<void> => {
    do await call(index++)
    while (performance.now() < until)
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
}

/** Turns of the same words, as long and as many as one request may bring. */
function longTurns(words: string): string[] {
  const text = words.repeat(Math.floor(LONGEST_TURN / words.length))
  return Array.from({ length: LONG_TURNS_PER_REQUEST }, () => text)
}

const SECRETS = [
  `ghp_${'a'.repeat(36)} `,
  'AKIAIOSFODNN7EXAMPLE ',
  'pwd is hunter2 ',
  '4111 1111 1111 1111 ',
  '{"password":"x1y2z3"} ',
]

/** Texts that make patterns backtrack, each to be repeated. */
const BOMBS =
  'a| |\t \n|((((|"\'|aA1-|a@|a.a.|0-|1 2 3 |=|> |\u0300|no, not, never, |and and |I I I |http://a.|forget that |我我|，，'.split(
    '|',
  )
const BOMB_LENGTHS = [20_000, 60_000, LONGEST_TURN - 1]

/** Sends a body a byte at a time, and never ends it. */
async function sendSlowly({ url, headers, until }: Attacker): Promise<void> {
  const sending = request(`${url}${TURNS}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': 900_000 },
  })
  const closed = new Promise<void>((resolve) => {
    sending.once('close', resolve)
    sending.once('error', () => resolve())
  })
  sending.on('response', (response) => response.resume())
  while (performance.now() < until && !sending.destroyed) {
    sending.write(' ')
    await sleep(200)
  }
  sending.destroy()
  await closed
}

const LONG_USER = '/v1/scopes/attacker'

/** Remembers many short turns with metadata, for attacks that read them. */
async function fill(attacker: Attacker): Promise<void> {
  const turns = Array.from({ length: MAX_TURNS_PER_REQUEST }, (_, number) => ({
    role: 'user',
    text: `Line ${number} is about my garden.`,
    metadata: { number, topic: `bed ${number}` },
  }))
  await attacker.send('POST', TURNS, { turns })
}

/** Metadata of as many fields as named, with texts. */
const wideMetadata = (fields: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, `word ${index}`]))

/** The worst that one key can do, in seventeen ways. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  /** Turns with thousands of secrets of many forms. */
  secrets: (attacker) =>
    repeat(attacker, SECRETS.length, (index) =>
      attacker.send('POST', TURNS, userTurns(longTurns(SECRETS[index % SECRETS.length] ?? ''))),
    ),
  'giant-turns': (attacker) =>
    repeat(attacker, 8, (index) =>
      attacker.send('POST', TURNS, userTurns(longTurns(`Number ${index} goes on and on. `))),
    ),
  /** Requests of a thousand turns, each with facts about new persons and things. */
  'fact-flood': (attacker) =>
    repeat(attacker, 8, (index) => {
      const texts = Array.from({ length: MAX_TURNS_PER_REQUEST }, (_, turn) => {
        const name = `${index}x${turn}`
        return `My friend Bob${name} hates thing${name}. My sister went to place${name}.`
      })
      return attacker.send('POST', TURNS, userTurns(texts))
    }),
  'pattern-bombs': (attacker) =>
    repeat(attacker, 8, (index) => {
      const bomb = BOMBS[index % BOMBS.length] ?? 'a'
      const length = BOMB_LENGTHS[index % BOMB_LENGTHS.length] ?? 0
      return attacker.send('POST', TURNS, userTurns([`${bomb.repeat(Math.floor(length / bomb.length))}!`]))
    }),
  /** Turns are remembered and erased, as fast as possible. */
  'erase-storm': (attacker) =>
    repeat(attacker, 32, async (index) => {
      const id = `erase-${index}`
      await attacker.send('POST', TURNS, { turns: [{ role: 'user', text: `I keep number ${index}.`, id }] })
      await attacker.send('POST', '/v1/scopes/attacker/erase', { turns: [id] })
    }),
  'deep-json': (attacker) =>
    repeat(attacker, 32, () => {
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
      const body = `{"turns":[{"role":"user","text":"Hello.","metadata":{"a":${deep}}}]}`
      return attacker.send('POST', TURNS, body)
    }),
  /** Every request names a new user. */
  'many-scopes': (attacker) =>
    repeat(attacker, 32, (index) =>
      attacker.send(
        'POST',
        `/v1/scopes/person-${index}/turns`,
        userTurns([`I am number ${index}, and live in Lyon.`]),
      ),
    ),
  'huge-ids': (attacker) =>
    repeat(attacker, 32, async (index) => {
      const long = `${index}-${'n'.repeat(100_000)}`
      const turns = [{ role: 'user', text: 'Hello.', id: long, speaker: long }]
      await attacker.send('POST', TURNS, { turns, session: long })
      await attacker.send('POST', '/v1/scopes/attacker/erase', {
        turns: Array.from({ length: 9 }, () => long),
      })
    }),
  /** Questions of a thousand words about a memory that has all of them. */
  'recall-storm': async (attacker) => {
    const words = Array.from({ length: MAX_TURNS_PER_REQUEST }, (_, index) => `word${index}`)
    const texts = words.map((word) => `I said ${word} about ${word} in ${word}.`)
    await attacker.send('POST', TURNS, userTurns(texts))
    const question = words.join(' ').slice(0, 9_000)
    await repeat(attacker, 32, () =>
      attacker.send('POST', '/v1/scopes/attacker/recall', { question, limit: 100 }),
    )
  },
  /** An export of a thousand turns is imported under new names. */
  imports: async (attacker) => {
    const body = userTurns(Array.from({ length: MAX_TURNS_PER_REQUEST }, (_, index) => `Line ${index}.`))
    await attacker.send('POST', '/v1/scopes/exported/turns', body)
    const exported = await attacker.send('GET', '/v1/scopes/exported/export')
    const lines = (await exported?.text()) ?? ''
    await repeat(attacker, 4, (index) =>
      attacker.send('POST', '/v1/import', lines.replace('"user":"exported"', `"user":"imported-${index}"`)),
    )
  },
  /** A turn of more fields than are taken, and turns that together have as many. */
  'wide-metadata': (attacker) =>
    repeat(attacker, 8, (index) => {
      const [turns, fields] = index % 2 === 0 ? [1, 35_000] : [70, 500]
      const metadata = wideMetadata(fields)
      const turn = { role: 'user', text: 'Hello.', metadata }
      return attacker.send('POST', TURNS, { turns: Array.from({ length: turns }, () => turn) })
    }),
  exports: async (attacker) => {
    await fill(attacker)
    await repeat(attacker, 8, () => attacker.send('GET', `${LONG_USER}/export`))
  },
  /** Filters of as many conditions as are taken, and of more. */
  'wide-filters': async (attacker) => {
    await fill(attacker)
    await repeat(attacker, 8, (index) => {
      const any = Array.from({ length: index % 2 === 0 ? 998 : 248 }, (_, bed) => ({
        path: 'topic',
        is: `no bed ${bed}`,
      }))
      return attacker.send('POST', `${LONG_USER}/recall`, {
        question: 'What about my garden?',
        where: { any },
      })
    })
  },
  'long-lists-in-filters': async (attacker) => {
    await fill(attacker)
    const where = { path: 'topic', in: Array.from({ length: 60_000 }, (_, index) => `no ${index}`) }
    await repeat(attacker, 8, () =>
      attacker.send('POST', `${LONG_USER}/recall`, { question: 'What about my garden?', where }),
    )
  },
  /** Everything that reads a long memory, and asks for all of it. */
  'long-reads': async (attacker) => {
    await fill(attacker)
    const paths = ['export', 'memories?limit=1000', 'turns?limit=1000', 'operations?limit=1000', 'profile']
    await repeat(attacker, 16, (index) =>
      attacker.send('GET', `${LONG_USER}/${paths[index % paths.length] ?? ''}`),
    )
  },
  'slow-bodies': (attacker) => repeat(attacker, SLOW_CONNECTIONS, () => sendSlowly(attacker)),
  /** Event streams are opened and never read, while turns are remembered. */
  'open-streams': async (attacker) => {
    const over = new AbortController()
    const { headers } = attacker
    const streams = Array.from({ length: STREAMS }, () =>
      fetch(`${attacker.url}/v1/scopes/attacker/events`, { headers, signal: over.signal }).catch(() => null),
    )
    await Promise.race([Promise.all(streams.slice(0, 100)), sleep(500)])
    await repeat(attacker, 4, (index) =>
      attacker.send('POST', TURNS, userTurns([`Number ${index}: ${'and so on '.repeat(500)}`])),
    )
    over.abort()
    await Promise.allSettled(streams)
  },
}
