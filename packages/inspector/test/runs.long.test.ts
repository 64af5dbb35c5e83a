import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_BROWSER, openBrowser, openPage, REASON, type WatchedPage } from './browser.ts'
import { findBarriers } from './check-accessible.ts'
import { serve, type Served } from './serve.ts'

const figure = (slice: string, value: number): object => ({
  task: 'answering',
  metric: 'correct',
  slice,
  value,
  interval: { low: value - 0.1, high: value + 0.1 },
  count: 40,
  unit: 'share',
  judge: 'deterministic',
})

const reportOf = (system: string, value: number, more: object = {}): object => ({
  format: 2,
  benchmark: 'run',
  dataset: 'our-own',
  dataHash: 'abc',
  system,
  config: { contextTokens: 1_000 },
  reader: 'extractive',
  judge: 'deterministic',
  command: `keepsake bench run --system ${system}`,
  startedAt: '2026-05-01T18:00:00Z',
  conversations: 3,
  failures: 0,
  leftOut: {},
  remarks: [],
  figures: [figure('all', value), figure('category:time', value / 2)],
  ...more,
})

const answer = (question: string, more: object): object => ({
  entry: 'answer',
  conversation: 'c1',
  person: 'p1',
  question,
  category: 'fact',
  text: `Where are the bees of ${question}?`,
  reference: 'On the roof.',
  answer: 'In the garden.',
  outcome: 'hallucinated',
  reason: 'The roof is not named.',
  lost: null,
  retrieved: ['Ines keeps <b>bees</b>.'],
  context: 'Ines keeps bees.',
  failure: null,
  ...more,
})

const LOGS = {
  alpha: [
    { entry: 'retrieval', conversation: 'c1', question: 'q1', units: ['s2'], evidence: ['s1'] },
    answer('q1', { lost: 'not-retrieved' }),
    answer('q2', { lost: 'misread', outcome: 'omitted', answer: '' }),
    answer('q3', { outcome: 'correct' }),
  ],
  beta: [answer('q1', { outcome: 'correct' }), answer('q2', { lost: 'forgotten' })],
}

describe.skipIf(NO_BROWSER !== null)(`the inspector’s page of runs${REASON}`, () => {
  let served: Served
  let browser: Browser
  let key: string
  let folder: string
  beforeAll(async () => {
    served = await serve()
    key = await served.keyFor()
    browser = await openBrowser()
    folder = mkdtempSync(join(tmpdir(), 'keepsake-runs-'))
    for (const [name, value] of [['alpha', 0.5] as const, ['beta', 0.75] as const]) {
      mkdirSync(join(folder, 'runs', name), { recursive: true })
      const write = (file: string, text: string): void =>
        writeFileSync(join(folder, 'runs', name, file), text)
      write('summary.json', JSON.stringify(reportOf(name, value)))
      write('run.json', JSON.stringify({ format: 2, systems: [name] }))
      write('log.jsonl', LOGS[name].map((entry) => JSON.stringify(entry)).join('\n'))
    }
  })
  afterAll(async () => {
    await browser.close()
    await served.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function openRuns(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await openPage(browser, options)
    const { page } = watched
    await page.goto(`${served.url}/runs#key=${key}`)
    await page.getByRole('heading', { name: 'No run is open' }).waitFor()
    await page.locator('input[type=file]').nth(1).setInputFiles(join(folder, 'runs'))
    await page.getByRole('link', { name: 'beta' }).waitFor()
    return watched
  }

  it('compares the runs of a folder, and keeps what is chosen in the address', async () => {
    const { page, context, faults, hosts } = await openRuns()
    const row = page.getByRole('row', { name: /^correct/ })
    expect(await row.textContent()).toMatch(/50\.0 %.*75\.0 %.*\+25\.0/)
    await page.getByLabel('Held against').selectOption('beta')
    await expect.poll(() => row.textContent()).toContain('−25.0')
    await page.getByLabel('Part').selectOption('category:time')
    await expect.poll(() => row.textContent()).toContain('37.5 %')
    expect(page.url()).toContain('slice=category%3Atime')
    await page.getByLabel('Compare beta').uncheck()
    await expect.poll(() => row.textContent()).not.toContain('37.5 %')
    expect(faults).toEqual([])
    expect(hosts).toEqual(new Set([new URL(served.url).host]))
    await context.close()
  })

  it('follows a wrong answer to the step that lost it, and to what another run made of it', async () => {
    const { page, context } = await openRuns()
    await page.getByRole('link', { name: 'alpha' }).click()
    await page.getByText('2 of 3 answers were wrong.').waitFor()
    await page.getByRole('link', { name: 'not retrieved' }).click()
    await page.getByText('1 match', { exact: true }).waitFor()
    expect(page.url()).toContain('lost=not-retrieved')
    await page.getByText('Where are the bees of q1?').click()
    const way = page.getByRole('list', { name: 'Its way' })
    expect(await way.locator('[aria-current=step]').textContent()).toMatch(/retrieved.*lost here/)
    await page.getByText('not among what was found').waitFor()
    await page.getByText('beta: right').waitFor()
    await page.getByText('Ines keeps <b>bees</b>.').waitFor()
    await page.getByLabel('Lost where').selectOption('')
    await page.getByLabel('Words in it').fill('of q2')
    await page.getByText('1 match', { exact: true }).waitFor()
    await context.close()
  })

  it('opens what is dropped, and says what is the matter with what it cannot open', async () => {
    const { page, context } = await openPage(browser)
    await page.goto(`${served.url}/runs#key=${key}`)
    await page.getByRole('heading', { name: 'No run is open' }).waitFor()
    const files = [
      ['one.json', JSON.stringify([reportOf('alpha', 0.5), reportOf('beta', 0.75, { dataset: 'another' })])],
      ['two.json', '{"format"'],
      ['three.json', '{}'],
    ]
    const dropped = await page.evaluateHandle((given) => {
      const transfer = new DataTransfer()
      for (const [name = '', text = ''] of given) transfer.items.add(new File([text], name))
      return transfer
    }, files)
    await page.locator('.runs-drop').dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByText('two.json is not JSON').waitFor()
    await page.getByText('three.json is no report').waitFor()
    await page.getByRole('heading', { name: 'They were made under other conditions' }).waitFor()
    await page.getByRole('link', { name: 'alpha' }).click()
    await page.getByRole('heading', { name: 'Its log is not open' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Close alpha' }).click()
    expect(await page.getByRole('link', { name: 'alpha' }).count()).toBe(0)
    await context.close()
  })

  it('says that a run which was sent as an address is to be opened first', async () => {
    const { page, context } = await openPage(browser)
    await page.goto(`${served.url}/runs/alpha#key=${key}`)
    await page.getByRole('heading', { name: 'This run is not open' }).waitFor()
    await context.close()
  })

  it('is of WCAG AA, light and dark, and fits 360 pixels', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1280]) {
        const { page, context } = await openRuns({ colorScheme, viewport: { width, height: 800 } })
        const check = async (state: string): Promise<void> => {
          expect([state, await findBarriers(page)]).toEqual([state, []])
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          expect([state, Math.max(0, wider)]).toEqual([state, 0])
        }
        await check('compared')
        await page.getByRole('link', { name: 'alpha' }).click()
        await page.getByText('Where are the bees of q1?').click()
        await page.getByRole('list', { name: 'Its way' }).waitFor()
        await check('followed')
        await context.close()
      }
  }, 300_000)
})
