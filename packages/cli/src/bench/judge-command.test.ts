import { describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'

describe('keepsake bench judge', () => {
  it('says what the judge by rule lets pass', async () => {
    const { code, out } = await run(['bench', 'judge', '--language', 'zh'])
    expect(code).toBe(0)
    expect(out).toMatch(/vague\s+\d+\s+0\s+0/)
  })

  it('refuses a judge and recorded answers at once', async () => {
    const { code, err } = await run(['bench', 'judge', '--judge', 'ollama:x', '--answers', 'y.jsonl'])
    expect(code).toBe(2)
    expect(err).toContain('cannot be used with')
  })
})
