import { describe, expect, it } from 'vitest'
import { NO_BROWSER, REASON } from './browser.ts'
import { rememberMany } from './remember-many.ts'
import { rowsAtOnce, scrollThrough, watchRows } from './scroll-through.ts'
import { useInspector } from './serve.ts'

const MEMORIES = 2_000
/** What makes a page stall is thousands of rows at a time. */
const MOST_ROWS = 60

describe.skipIf(NO_BROWSER !== null)(`a person of two thousand memories in the inspector${REASON}`, () => {
  const inspector = useInspector(async (served) => {
    await rememberMany(served.keepsake, 'many', MEMORIES)
  })

  it(
    'scrolls to the last of them, few of them in the page at a time and none of them at once',
    { timeout: 600_000 },
    async () => {
      const { page, faults } = await inspector.open('/people/many/memories')
      await page.getByRole('article').first().waitFor()
      const { rows, mostAtOnce, mostInPage } = await scrollThrough(inspector.browser, page)
      const { live } = (await inspector.served.keepsake.stats()).memories
      expect(live).toBeGreaterThanOrEqual(MEMORIES)
      expect(rows).toBe(live)
      expect(mostInPage).toBeLessThan(MOST_ROWS)
      expect(mostAtOnce).toBeGreaterThan(0)
      expect(mostAtOnce).toBeLessThan(MOST_ROWS)
      expect(faults).toEqual([])
    },
  )

  it(
    'shows what would go of all of them, while the room is drawn, a few at a time',
    { timeout: 600_000 },
    async () => {
      const { page, faults } = await inspector.open('/people/many/retention?policy=first-in-first-out')
      const room = page.getByLabel('Keep')
      await room.waitFor()
      const considered = Number(await room.getAttribute('max'))
      expect(considered).toBeGreaterThanOrEqual(MEMORIES)
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/strengths')) asked.push(request.url())
      })
      const box = await room.boundingBox()
      if (box === null) throw new Error('the room cannot be seen')
      const middle = box.y + box.height / 2
      await watchRows(page)
      await page.mouse.move(box.x + box.width * 0.75, middle)
      await page.mouse.down()
      for (let step = 0; step < 60; step += 1)
        await page.mouse.move(box.x + box.width * (0.75 - step / 120), middle)
      await page.mouse.up()
      const kept = Number(await room.inputValue())
      await page.getByText(`${(considered - kept).toLocaleString('en')} would be forgotten`).waitFor()
      expect(await rowsAtOnce(page)).toBeLessThan(MOST_ROWS)
      // Not every place that was passed is asked for, and the page holds a page of them at a time.
      expect(asked.length).toBeLessThan(40)
      expect(asked.every((url) => Number(new URL(url).searchParams.get('limit')) <= 100)).toBe(true)
      const seen = await scrollThrough(inspector.browser, page)
      expect(seen.rows).toBe(considered)
      expect(seen.mostInPage).toBeLessThan(MOST_ROWS)
      expect(seen.mostAtOnce).toBeLessThan(MOST_ROWS)
      expect(
        await inspector.served.keepsake.scope({ user: 'many' }).memories({ statuses: ['forgotten'] }),
      ).toEqual([])
      expect(faults).toEqual([])
    },
  )
})
