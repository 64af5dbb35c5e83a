import assert from 'node:assert/strict'
const resources = () =>
  process.getActiveResourcesInfo().filter((name) => !/^(Pipe|TTY|FS|Immediate|CloseReq)/.test(name))
const before = resources().length
const { openMemory } = await import('keepsake')
assert.equal(resources().length, before, 'importing it opened something')
const memory = await openMemory({ path: ':memory:' })
const ana = memory.scope({ user: 'ana' })
await ana.remember({ role: 'user', text: 'My sister Mia is allergic to peanuts.' })
await ana.remember({ role: 'user', text: '我妹妹对花生过敏。' })
await ana.drain()
const { memories } = await ana.recall('What can Mia not eat?')
assert.match(memories[0].memory.text, /peanuts/)
await memory.close()
