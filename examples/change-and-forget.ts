// Facts change with later messages, keep their earlier values with dates, and are forgotten on request.
import { openMemory } from 'keepsake'

const keepsake = await openMemory({ path: ':memory:' })
const ana = keepsake.scope({ user: 'ana' })
const say = async (at: string, text: string) => {
  await ana.remember({ role: 'user', text, at }, { session: at })
  await ana.endSession()
  await keepsake.drain()
}

await say('2024-01-10T18:00:00Z', 'I live in Porto, and I have a parrot named Kiwi.')
await say('2024-05-02T18:00:00Z', 'Actually, I moved to Lyon.')

for (const fact of await ana.memories({ forms: ['fact'] })) {
  console.log(
    fact.text,
    fact.validUntil === null ? '' : `(until ${new Date(fact.validUntil).toISOString().slice(0, 10)})`,
  )
}

await say('2024-06-01T18:00:00Z', 'Please forget that I have a parrot.')
const { memories } = await ana.recall('Does Ana have a parrot?')
console.log(
  'still there:',
  memories.some((recalled) => recalled.memory.text.includes('parrot')),
)
await keepsake.close()
