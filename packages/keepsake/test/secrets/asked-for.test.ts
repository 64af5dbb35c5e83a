import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMemory, type ScopedMemory, type TurnInput } from 'keepsake'
import { openForTest } from '../open-for-test.ts'

const user = (text: string): TurnInput => ({ role: 'user', text })
const agent = (text: string): TurnInput => ({ role: 'assistant', text })

/** All that an export holds but ids and moments, in which any few digits may stand. */
async function exported(scope: ScopedMemory): Promise<string> {
  const rows = await Array.fromAsync(scope.export())
  return rows.join('\n').replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b\d{13}\b/g, '')
}

/** Asked in one turn, told in the next. */
const TOLD: readonly (readonly [asked: TurnInput, answer: string, secret: string])[] = [
  [agent('What is your wifi password?'), 'tulip9boat', 'tulip9boat'],
  [agent("What's the PIN?"), '4471', '4471'],
  [user('do you want my password?'), "it's tulip9boat, write it down", 'tulip9boat'],
  [agent('And the code for the gate?'), 'ok, 2580#', '2580'],
  [agent('Please tell me the passphrase:'), '"Tulip@Boat"', 'Tulip@Boat'],
  [agent('你的密码是多少？'), '是tulip9boat', 'tulip9boat'],
  [agent('验证码是？'), '482913', '482913'],
  [user('我把密码告诉你？'), '好的，482913', '482913'],
]

/** The next turn answers, and gives none. */
const GIVEN_NONE: readonly (readonly [asked: TurnInput, answer: string])[] = [
  [agent('What is your wifi password?'), 'I would rather not say.'],
  [agent('Did you change the PIN?'), 'yes, on 3 May 2026'],
  [agent('When did you change your password?'), '14:30 or so'],
  [agent('When did you change your password?'), '2026-03-01'],
  [agent('Is it the password?'), "it's well-known"],
  [agent('How is the new flat?'), '4471 euros a month'],
  [agent('你的密码是多少？'), '我忘了'],
]

describe('a secret that is told when somebody asked for it', () => {
  it.each(TOLD)('is masked in one call: %o %s', async (asked, answer, secret) => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const { maskedSecrets: masked } = await ana.remember([asked, user(answer)])
    expect(masked).toEqual([{ kind: 'password', count: 1 }])
    expect(await exported(ana)).not.toContain(secret)
  })

  it.each(TOLD)('is masked in the next call: %o %s', async (asked, answer, secret) => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember(asked)
    await keepsake.scope({ user: 'bo' }).remember(user('Hi.'))
    await ana.remember(user(answer))
    expect(await exported(ana)).not.toContain(secret)
  })

  it('is masked when it is told to another process, and when it comes again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-asked-'))
    const path = join(folder, 'memory.db')
    const here = await openMemory({ path })
    const there = await openMemory({ path })
    await here.scope({ user: 'ana' }).remember(agent('What is the PIN?'))
    const ana = there.scope({ user: 'ana' })
    const answer = { ...user('4471'), id: 'answer' }
    expect((await ana.remember(answer)).maskedSecrets).toEqual([{ kind: 'password', count: 1 }])
    expect(await here.scope({ user: 'ana' }).remember(answer)).toMatchObject({ turns: ['answer'], added: 0 })
    expect(await exported(ana)).not.toContain('4471')
    await here.close()
    await there.close()
    rmSync(folder, { recursive: true })
  })

  it.each(GIVEN_NONE)('leaves other answers as they are: %o %s', async (asked, answer) => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    expect((await ana.remember([asked, user(answer)])).maskedSecrets).toEqual([])
  })

  it('is asked for once, and in one scope', async () => {
    const keepsake = await openForTest()
    const [ana, bo] = [keepsake.scope({ user: 'ana' }), keepsake.scope({ user: 'bo' })]
    await ana.remember(agent('What is the PIN?'))
    expect((await bo.remember(user('4471'))).maskedSecrets).toEqual([])
    await ana.remember(user('One moment.'))
    expect((await ana.remember(user('4471'))).maskedSecrets).toEqual([])
  })

  it('is kept where secrets are let in', async () => {
    const keepsake = await openForTest({ maskSecrets: false })
    const ana = keepsake.scope({ user: 'ana' })
    expect((await ana.remember([agent('What is the PIN?'), user('4471')])).maskedSecrets).toEqual([])
  })
})
