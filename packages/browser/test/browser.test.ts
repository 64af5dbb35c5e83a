import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openMemory, type Keepsake } from 'keepsake'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const EXECUTABLE = [
  process.env['KEEPSAKE_CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))
if (EXECUTABLE === undefined)
  process.stderr.write('Skipped: there is no Chromium (apt-get install chromium), so no page was opened.\n')

const ROOT = new URL('..', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  wasm: 'application/wasm',
}

let server: Server
let browser: Browser
let address: string

/** Serves the example's page with the bundle beside it, as a reader would copy them. */
beforeAll(async () => {
  if (EXECUTABLE === undefined) return
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/$/, '/example.html').replace('/keepsake/', '/dist/bundle/')
    readFile(new URL(`.${path}`, ROOT)).then(
      (body) =>
        response
          .writeHead(200, {
            'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
          })
          .end(body),
      () => response.writeHead(404).end('none'),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu'] })
})
afterAll(async () => {
  if (EXECUTABLE === undefined) return
  await browser.close()
  server.close()
})

it.skipIf(EXECUTABLE === undefined)('the example remembers and recalls', async () => {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(address)
  const shown = page.locator('pre')
  const waitFor = (text: string) => shown.filter({ hasText: text }).waitFor({ timeout: 120_000 })
  await waitFor('Ready.')
  await page.getByRole('button', { name: 'Remember' }).click()
  await waitFor('Stored: 1')
  await page.locator('input').fill('What can Mia not eat?')
  await page.getByRole('button', { name: 'Recall' }).click()
  await waitFor('allergic to peanuts')
  expect(faults).toEqual([])
  await page.close()
})

/** Runs where `openMemory` is global: in the page, and in Node. */
async function talk() {
  const { openMemory } = globalThis as unknown as { openMemory: () => Promise<Keepsake> }
  const keepsake = await openMemory()
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember([
    { role: 'user', text: 'I live in Lisbon, and my cat is called Pixel.', id: 't1' },
    { role: 'assistant', text: 'Nice!', id: 't2' },
    { role: 'user', text: '我对花生过敏。', id: 't3' },
  ])
  await ana.drain()
  const facts = (await ana.memories({ forms: ['fact'] })).map(({ text }) => text)
  const { context, answerable, memories } = await ana.recall('Where do I live?')
  const receipt = await ana.erase({ everything: true })
  const left = (await ana.memories()).length
  await keepsake.close()
  const scores = memories.map(({ score }) => Number(score.toFixed(6)))
  return { facts, scores, context: context.text, answerable, erased: receipt?.turns, left }
}

it.skipIf(EXECUTABLE === undefined)('a page gets the answers that Node gets, and erases', async () => {
  const page = await browser.newPage()
  await page.goto(`${address}keepsake/`)
  await page.addScriptTag({
    type: 'module',
    content: `import { openMemory } from '${address}keepsake/keepsake.js'; globalThis.openMemory = openMemory`,
  })
  await page.waitForFunction('globalThis.openMemory')
  const answers = await page.evaluate(talk)
  expect(answers).toMatchObject({ answerable: 'yes', erased: 3, left: 0 })
  expect(answers.context).toContain('Lisbon')
  expect(answers.facts.length).toBeGreaterThan(1)
  vi.stubGlobal('openMemory', () => openMemory({ path: ':memory:' }))
  expect(answers).toEqual(await talk())
  await page.close()
})
