import { setTimeout as sleep } from 'node:timers/promises'

/** Another person, with a key of their own, who goes on as ever. */
export interface Bystander {
  readonly url: string
  readonly key: string
}

/** What they noticed. Times in milliseconds. */
export interface Noticed {
  readonly recalls: number[]
  /** From the answer to what they said until it stands among their memories. */
  readonly learned: number[]
  /** Answers that they should not have got. */
  readonly refused: number
}

const RECALL_EVERY_MS = 20
const TELL_EVERY_MS = 1_500
const LOOK_EVERY_MS = 50
/** For what was told last to be learned, after which it counts as not learned. */
const PATIENCE_MS = 60_000
const USER = '/v1/scopes/bystander'
const CITIES = ['Lyon', 'Porto', 'Oslo', 'Turin', 'Ghent', 'Kyoto', 'Quito', 'Leeds', 'Bergen', 'Cork']

/** Recalls, and tells new facts and waits for them, until the time is over. */
export async function standBy({ url, key }: Bystander, until: number): Promise<Noticed> {
  const noticed = { recalls: [] as number[], learned: [] as number[], refused: 0 }
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object): Promise<boolean> => {
    const response = await fetch(`${url}${USER}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    if (!response.ok) noticed.refused += 1
    return response.ok
  }
  const recalling = async (): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now()
      if (await post('/recall', { question: 'Where does my friend Amir live?' }))
        noticed.recalls.push(performance.now() - began)
      await sleep(RECALL_EVERY_MS)
    }
  }
  const telling = async (): Promise<void> => {
    for (let number = 0; performance.now() < until; number++) {
      const text = `My friend Friend${number} lives in ${CITIES[number % CITIES.length]}.`
      if (!(await post('/turns', { turns: [{ role: 'user', text }] }))) continue
      noticed.learned.push(await timeUntilLearned(`Friend${number}`, { url, headers }))
      await sleep(TELL_EVERY_MS)
    }
  }
  await Promise.all([recalling(), telling()])
  return noticed
}

async function timeUntilLearned(
  name: string,
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < PATIENCE_MS) {
    const response = await fetch(`${url}${USER}/persona`, { headers })
    if ((await response.text()).includes(name)) break
    await sleep(LOOK_EVERY_MS)
  }
  return performance.now() - began
}
