import { setImmediate as nextTurn } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { ServerEnv } from '../server-context.ts'
import { UNLOCKED } from './access.ts'
import { takeTurns } from './take-turns.ts'

/** A server whose requests end when they are let go, with how many of each key it works on. */
function slowServer() {
  const working = new Map<string, number>()
  const held: (() => void)[] = []
  const app = new Hono<ServerEnv>()
  app.use((c, next) => {
    c.set('grant', { ...UNLOCKED, id: c.req.header('x-key') ?? '' })
    return next()
  })
  app.use(takeTurns())
  app.get('/v1/scopes', async (c) => {
    const { id } = c.get('grant')
    working.set(id, (working.get(id) ?? 0) + 1)
    await new Promise<void>((resolve) => held.push(resolve))
    working.set(id, (working.get(id) ?? 0) - 1)
    return c.text('done')
  })
  const ask = (key: string, count: number): Promise<Response>[] =>
    Array.from({ length: count }, () =>
      Promise.resolve(app.request('/v1/scopes', { headers: { 'x-key': key } })),
    )
  return { working, held, ask }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await nextTurn()
}

async function finish(held: (() => void)[], answers: Promise<Response>[]): Promise<void> {
  const all = Promise.all(answers).then(() => true)
  while (!(await Promise.race([all, nextTurn(false)]))) for (const letGo of held.splice(0)) letGo()
}

test('a key that asks alone has sixteen requests worked on at a time', async () => {
  const { working, held, ask } = slowServer()
  const answers = ask('one', 40)
  await settle()
  expect(working.get('one')).toBe(16)
  await finish(held, answers)
  expect((await answers[39])?.status).toBe(200)
})

test('beside another it has four, and the other does not wait', async () => {
  const { working, held, ask } = slowServer()
  const others = ask('other', 1)
  await settle()
  const answers = ask('one', 40)
  await settle()
  expect(working.get('other')).toBe(1)
  expect(working.get('one')).toBe(4)
  await finish(held, [...answers, ...others])
})

test('a key is not alone for some time after another has asked', async () => {
  const { working, held, ask } = slowServer()
  await finish(held, ask('other', 1))
  const answers = ask('one', 40)
  await settle()
  expect(working.get('one')).toBe(4)
  await finish(held, answers)
})

test('another that comes is worked on at once, and what was begun ends before more is', async () => {
  const { working, held, ask } = slowServer()
  const answers = ask('one', 40)
  await settle()
  const others = ask('other', 1)
  await settle()
  expect(working.get('other')).toBe(1)
  for (const letGo of held.splice(0, 12)) letGo()
  await settle()
  expect(working.get('one')).toBe(4)
  await finish(held, [...answers, ...others])
})
