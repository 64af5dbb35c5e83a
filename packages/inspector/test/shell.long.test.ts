import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_BROWSER, openBrowser, openPage, REASON } from './browser.ts'
import { findBarriersInBoth } from './check-accessible.ts'
import { serve, type Served } from './serve.ts'

describe.skipIf(NO_BROWSER !== null)(`the inspector’s shell${REASON}`, () => {
  let served: Served
  let browser: Browser
  let key: string
  beforeAll(async () => {
    served = await serve()
    for (const user of ['maya', '林晓雨', '..'])
      await served.keepsake.scope({ user }).remember({ role: 'user', text: 'I live in Lyon.' })
    await served.keepsake.scope({ user: 'maya' }).drain()
    key = await served.keyFor()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await served.close()
  })

  it('asks for a key, refuses a wrong one, and keeps the right one in the tab alone: over a reload, and for a new tab', async () => {
    const { page, context, faults, hosts } = await openPage(browser)
    await page.goto(served.url)
    await page.getByLabel('Key').fill('ks_wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('is not valid')
    await page.getByLabel('Key').fill(key)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('link', { name: 'maya' }).waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), location.href, document.cookie]),
    )
    expect(kept).not.toContain('ks_')
    await page.reload()
    await page.getByRole('link', { name: 'maya' }).waitFor()
    const other = await context.newPage()
    await other.goto(`${served.url}/people/maya`)
    await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await other.getByRole('button', { name: 'Lock' }).click()
    for (const tab of [other, page]) {
      await tab.getByLabel('Key').waitFor()
      await tab.reload()
      await tab.getByLabel('Key').waitFor()
    }
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('ks_')
    expect([faults, [...hosts]]).toEqual([[], [new URL(served.url).host]])
    await context.close()
  })

  it('takes the key of an address, and takes it out of there', async () => {
    const { page, context } = await openPage(browser)
    await page.goto(`${served.url}/people/maya#key=${key}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(page.url()).toBe(`${served.url}/people/maya`)
    await page.getByRole('button', { name: 'Lock' }).click()
    await page.getByLabel('Key').waitFor()
    // The printed address in the same tab changes the hash alone.
    await page.goto(`${served.url}/people/maya#key=${key}`)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${served.url}/people/maya`)
    await context.close()
  })

  it('opens every page by its address, and people of any name', async () => {
    const { page, context, faults } = await openPage(browser)
    await page.goto(`${served.url}/#key=${key}`)
    for (const name of ['maya', '林晓雨', '..']) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(await page.locator('.whose').textContent()).toBe(name)
      await page.goBack()
    }
    for (const path of ['memories', 'persona', 'story', 'portrait', 'retention', 'conversation', 'data']) {
      await page.goto(`${served.url}/people/maya/${path}#key=${key}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.locator('.places a[aria-current]').count()).toBe(1)
    }
    await page.goto(`${served.url}/people/maya/nowhere#key=${key}`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('is of WCAG AA, light and dark, wide and narrow, and fits 360 pixels', async () => {
    for (const width of [360, 1280]) {
      const { page, context } = await openPage(browser, { viewport: { width, height: 800 } })
      for (const path of ['/', '/people/maya', '/none']) {
        await page.goto(`${served.url}${path === '/none' ? '/people/a/b/c' : path}#key=${key}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect([path, width, await findBarriersInBoth(page)]).toEqual([path, width, { light: [], dark: [] }])
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(wider).toBeLessThanOrEqual(0)
      }
      await page.getByRole('button', { name: 'Lock' }).click()
      await page.getByLabel('Key').waitFor()
      expect(await findBarriersInBoth(page)).toEqual({ light: [], dark: [] })
      await context.close()
    }
  }, 300_000)

  it('hides pages that are empty, and has its header in one row and a sign of more tabs at 390 pixels', async () => {
    const { page, context } = await openPage(browser, { viewport: { width: 390, height: 800 } })
    await page.goto(`${served.url}/people/maya#key=${key}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const tabs = page.locator('.places li')
    await expect.poll(() => tabs.allTextContents()).not.toContain('Portrait')
    expect(await tabs.allTextContents()).toContain('Conversation')
    const header = await page.locator('.masthead').boundingBox()
    expect(header?.height).toBeLessThan(70)
    const [shown, whole, shade] = await page.locator('.places ul').evaluate((list) => {
      return [list.clientWidth, list.scrollWidth, getComputedStyle(list).backgroundAttachment] as const
    })
    expect(whole).toBeGreaterThan(shown)
    expect(shade).toBe('local, local, scroll, scroll')
    await context.close()
  })

  it('speaks English and Chinese, and remembers which', async () => {
    const { page, context } = await openPage(browser, { locale: 'zh-CN' })
    await page.goto(`${served.url}/#key=${key}`)
    await page.getByRole('heading', { level: 1, name: '用户' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-Hans')
    await page.getByLabel('语言').selectOption('en')
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await page.goto(`${served.url}/people/a/b/c#key=${key}`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await context.close()
  })
})
