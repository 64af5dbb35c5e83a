import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_BROWSER, openBrowser, openPage, REASON } from './browser.ts'
import { rememberMany } from './remember-many.ts'
import { scrollThrough } from './scroll-through.ts'
import { serve, type Served } from './serve.ts'

const MEMORIES = 10_000
/** Of the processor, for what the page does in one go: a frame that took longer would be dropped. */
const MOST_MS = 50

describe.skipIf(NO_BROWSER !== null)(`a person of ten thousand memories in the inspector${REASON}`, () => {
  let served: Served
  let browser: Browser
  let key: string
  beforeAll(async () => {
    served = await serve()
    await rememberMany(served.keepsake, 'many', MEMORIES)
    key = await served.keyFor()
    browser = await openBrowser()
  }, 600_000)
  afterAll(async () => {
    await browser.close()
    await served.close()
  })

  it(
    'scrolls to the last of them, few of them in the page at a time, and blocks no frame',
    { timeout: 600_000 },
    async () => {
      const { page, context, faults } = await openPage(browser)
      await page.goto(`${served.url}/people/many/memories#key=${key}`)
      await page.getByRole('article').first().waitFor()
      const { rows, tasks, mostInPage } = await scrollThrough(browser, page)
      const { live } = (await served.keepsake.stats()).memories
      expect(live).toBeGreaterThanOrEqual(MEMORIES)
      expect(rows).toBe(live)
      expect(mostInPage).toBeLessThan(60)
      expect(tasks.length).toBeGreaterThan(100)
      expect(tasks.at(-1)).toBeLessThan(MOST_MS)
      expect(faults).toEqual([])
      await context.close()
    },
  )
})
