import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { runServer, type ServedProcess } from '../testing/run-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const db = join(temporaryFolder(), 'memory.db')
let server: ServedProcess | null = null
afterEach(() => server?.end('SIGKILL'))

async function serve(): Promise<ServedProcess> {
  server = await runServer(['--db', db, '--unlocked'])
  return server
}

/** Says it once, however often it is sent. */
const remember = (url: string, text: string): Promise<Response> =>
  fetch(`${url}/v1/scopes/ana/turns`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': createHash('sha256').update(text).digest('hex'),
    },
    body: JSON.stringify({ turns: [{ role: 'user', text }], session: 's1' }),
  })

it('keeps every request that it acknowledged when it is killed, and doubles none that comes again', async () => {
  const kept: string[] = []
  for (let round = 0; round < 3; round++) {
    const { url, end } = await serve()
    const before = kept.length
    let killing: Promise<unknown> = Promise.resolve()
    const sent = Array.from({ length: 40 }, async (_, index) => {
      const text = `Fact ${round}/${index}.`
      const answer = await remember(url, text)
      if (answer.status === 201) kept.push(text)
      if (kept.length - before === 3 + round * 7) killing = end('SIGKILL')
    })
    await Promise.allSettled(sent)
    await killing
  }
  const lost = 3 * 40 - kept.length
  expect([kept.length > 0, lost > 0]).toEqual([true, true])
  const { url, end } = await serve()
  const texts = Array.from({ length: 120 }, (_, index) => `Fact ${Math.floor(index / 40)}/${index % 40}.`)
  const again = await Promise.all(texts.map((text) => remember(url, text)))
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]))
  await end('SIGTERM')
  const lines = (await run(['export', '--db', db, '--user', 'ana'])).out
    .split('\n')
    .filter((line) => line.includes('"row":"turn"'))
  for (const text of texts)
    expect([text, lines.filter((line) => line.includes(text)).length]).toEqual([text, 1])
  expect(kept.length).toBeGreaterThan(0)
})
