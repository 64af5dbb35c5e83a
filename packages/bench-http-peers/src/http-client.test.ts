import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { HttpClient } from './http-client.ts'
import { PeerError } from './peer-error.ts'
import { startService } from './testing/scripted-service.ts'
import { zepScript } from './testing/zep-script.ts'

const NOW = Date.UTC(2025, 2, 3, 10)
const KEY = 'k"e\\y'

async function fail(text: string): Promise<PeerError> {
  const service = await startService(zepScript, KEY)
  onTestFinished(() => service.stop())
  service.failNext({ kind: 'text', text })
  const client = new HttpClient({
    system: 'zep',
    baseUrl: service.baseUrl,
    headers: {},
    key: KEY,
    keyVariable: 'SOME_KEY',
    timeoutMs: 5_000,
    now: () => NOW,
    sleep: () => Promise.resolve(),
    findRefusal: () => null,
  })
  const schema = z.object({ id: z.string() })
  const error: unknown = await client.ask('GET /thing', schema).catch((reason: unknown) => reason)
  if (error instanceof PeerError) return error
  throw new Error('no PeerError was thrown', { cause: error })
}

test.each([`<p>${KEY}</p>`, JSON.stringify({ said: KEY })])(
  'hides the key wherever the service repeats it: %s',
  async (text) => {
    const error = await fail(text)
    const shown = [error.message, error.stack, error.body, String(error.cause)].join()
    expect(error.body).toContain('[key]')
    expect(shown).not.toContain(KEY)
    expect(shown).not.toContain(JSON.stringify(KEY).slice(1, -1))
  },
)

test('shows only the beginning of a long answer', async () => {
  const error = await fail('x'.repeat(5_000))
  expect(error.body).toBe(`${'x'.repeat(300)}…`)
})

test('an empty answer is reported as lacking a documented field', async () => {
  expect((await fail('')).message).toContain('GET /thing was answered without what is documented')
})
