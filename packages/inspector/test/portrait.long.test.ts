import { comedy } from '@keepsake/papers'
import { scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { NO_BROWSER, REASON } from './browser.ts'
import { findBarriers } from './check-accessible.ts'
import { useInspector } from './serve.ts'

const TOLD = [
  {
    user: 'Maya lives in Bristol and bakes on Sundays.',
    relationship: 'They talk most evenings.',
    events: 'She planted a pear tree.',
  },
  {
    user: 'Maya lives in Lisbon and bakes on Sundays.',
    relationship: 'They talk most evenings, as friends do.',
    events: 'She planted a pear tree. She sold her bicycle.',
  },
]

/** Answers as COMEDY's prompts ask: a memory of each session, and a portrait that is another each time. */
function portraying() {
  let portraits = 0
  return scriptedModel(({ schemaName }) =>
    JSON.stringify(
      schemaName === 'session_memory'
        ? { outcome: 'memory', events: [{ text: 'They talked.', turns: [1] }], user: [], agent: [] }
        : { outcome: 'portrait', ...TOLD[Math.min(portraits++, TOLD.length - 1)] },
    ),
  )
}

describe.skipIf(NO_BROWSER !== null)(`the inspector’s page of a portrait${REASON}`, () => {
  const inspector = useInspector(
    async (served) => {
      const maya = served.keepsake.scope({ user: 'maya' })
      for (const session of ['monday', 'friday']) {
        await maya.remember({ role: 'user', text: `It is ${session}, and all is well.` }, { session })
        await maya.endSession(session)
        await maya.drain()
      }
    },
    { preset: comedy, model: portraying(), modelOptions: { retries: 0 } },
  )

  it('marks what came and what went since the version before, and compares any two', async () => {
    const { page } = await inspector.open('/people/maya/portrait')
    const [came, went] = [page.locator('.portrait ins'), page.locator('.portrait del')]
    await came.first().waitFor()
    expect((await came.allTextContents()).join(' ')).toMatch(/Lisbon.*sold her bicycle/s)
    expect(await went.allTextContents()).toEqual(['Bristol'])
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Compared with').selectOption('none')
    await page.locator('.portrait', { hasText: 'They talk most evenings, as friends do.' }).waitFor()
    expect(await came.count()).toBe(0)
    await page.getByLabel('Version').selectOption({ index: 0 })
    await page.locator('.portrait', { hasText: 'Maya lives in Bristol' }).waitFor()
    await page.getByRole('link', { name: 'Evidence' }).click()
    await page.getByRole('heading', { level: 1, name: 'Why' }).waitFor()
    await page.getByText('It is monday, and all is well.').first().waitFor()
  })

  it('is as wide as a phone, and says what was added and removed to who does not see colours', async () => {
    const { page } = await inspector.open('/people/maya/portrait', { viewport: { width: 360, height: 740 } })
    await page.locator('.portrait ins').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect(await page.locator('.portrait del').first().getAttribute('title')).toBe('removed')
  })
})
