import { describe, expect, it } from 'vitest'
import { NO_BROWSER, openPage, REASON } from './browser.ts'
import { findBarriers, NARROW_AND_WIDE } from './check-accessible.ts'
import { useInspector } from './serve.ts'

describe.skipIf(NO_BROWSER !== null)(`the inspector’s shell${REASON}`, () => {
  const inspector = useInspector(async (served) => {
    for (const user of ['maya', '林晓雨', '..'])
      await served.keepsake.scope({ user }).remember({ role: 'user', text: 'I live in Lyon.' })
    await served.keepsake.scope({ user: 'maya' }).drain()
  })

  it('asks for a key, refuses a wrong one, and keeps the right one in the tab alone: over a reload, and for a new tab', async () => {
    const { page, context, faults, hosts } = await openPage(inspector.browser)
    await page.goto(inspector.served.url)
    await page.getByLabel('Key').fill('ks_wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('is not valid')
    await page.getByLabel('Key').fill(inspector.key)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('link', { name: 'maya' }).waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), location.href, document.cookie]),
    )
    expect(kept).not.toContain('ks_')
    await page.reload()
    await page.getByRole('link', { name: 'maya' }).waitFor()
    const other = await context.newPage()
    await other.goto(`${inspector.served.url}/people/maya`)
    await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await other.getByRole('button', { name: 'Lock' }).click()
    for (const tab of [other, page]) {
      await tab.getByLabel('Key').waitFor()
      await tab.reload()
      await tab.getByLabel('Key').waitFor()
    }
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('ks_')
    expect([faults, [...hosts]]).toEqual([[], [new URL(inspector.served.url).host]])
  })

  it('takes the key of an address, and takes it out of there', async () => {
    const { page } = await inspector.open('/people/maya')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(page.url()).toBe(`${inspector.served.url}/people/maya`)
    await page.getByRole('button', { name: 'Lock' }).click()
    await page.getByLabel('Key').waitFor()
    // The printed address in the same tab changes the hash alone.
    await page.goto(`${inspector.served.url}/people/maya#key=${inspector.key}`)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${inspector.served.url}/people/maya`)
  })

  it('opens every page by its address, and people of any name', async () => {
    const { page, faults } = await inspector.open('/')
    for (const name of ['maya', '林晓雨', '..']) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(await page.locator('.whose').textContent()).toBe(name)
      await page.goBack()
    }
    for (const path of ['memories', 'persona', 'story', 'portrait', 'retention', 'conversation', 'data']) {
      await page.goto(`${inspector.served.url}/people/maya/${path}#key=${inspector.key}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.locator('.places a[aria-current]').count()).toBe(1)
    }
    await page.goto(`${inspector.served.url}/people/maya/nowhere#key=${inspector.key}`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(faults).toEqual([])
  })

  it('is of WCAG AA, light and dark, wide and narrow, and fits 360 pixels', async () => {
    for (const form of NARROW_AND_WIDE) {
      const { page, context } = await openPage(inspector.browser, form)
      for (const path of ['/', '/people/maya', '/none']) {
        await page.goto(
          `${inspector.served.url}${path === '/none' ? '/people/a/b/c' : path}#key=${inspector.key}`,
        )
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect([path, await findBarriers(page)]).toEqual([path, []])
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - globalThis.innerWidth)
        expect(wider).toBeLessThanOrEqual(0)
      }
      await page.getByRole('button', { name: 'Lock' }).click()
      await page.getByLabel('Key').waitFor()
      expect(await findBarriers(page)).toEqual([])
      await context.close()
    }
  })

  it('hides pages that are empty, and has its header in one row and a sign of more tabs at 390 pixels', async () => {
    const { page } = await inspector.open('/people/maya', { viewport: { width: 390, height: 800 } })
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
  })

  it('speaks English and Chinese, and remembers which', async () => {
    const { page } = await inspector.open('/', { locale: 'zh-CN' })
    await page.getByRole('heading', { level: 1, name: '用户' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-Hans')
    await page.getByLabel('语言').selectOption('en')
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await page.goto(`${inspector.served.url}/people/a/b/c#key=${inspector.key}`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  })
})
