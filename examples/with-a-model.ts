// A memory with a language model. The model here is scripted, so that the example runs without a key. Yours is
//   import { openai } from '@ai-sdk/openai'
//   const model = languageModel(openai('gpt-5-mini'))
import { openMemory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'

const fact = (text: string, quote: string) => ({
  op: 'add',
  index: null,
  text,
  type: 'persona',
  subject: 'user',
  modality: 'fact',
  key: null,
  value: null,
  when: null,
  until: null,
  importance: 6,
  evidence: [{ turn: 1, quote }],
})

// The scripted model extracts one fact correctly and invents another, which goes to quarantine.
const model = scriptedModel((request) =>
  request.schemaName === 'segment'
    ? JSON.stringify({
        summary: 'The user talked about their bees.',
        memories: [
          fact('The user keeps bees on the roof.', 'I keep bees on the roof'),
          fact('The user sells honey to Mr Okafor.', 'I sell honey'),
        ],
        forget: [],
      })
    : 'They are on your roof.',
)

const keepsake = await openMemory({ path: 'memory.db', model, exchangesPerExtraction: 1 })
keepsake.on('model-called', ({ prompt, outcome, attempts }) =>
  console.log(`${prompt}: ${outcome} (${attempts})`),
)
const ana = keepsake.scope({ user: 'ana' })

await ana.remember({ role: 'user', text: 'I keep bees on the roof, four hives of them.' }, { session: 'one' })
await ana.endSession('one')
await ana.drain()
for (const { text, evidence } of await ana.memories({ forms: ['fact'] }))
  console.log('known:', text, evidence)
for (const { text, reason } of await ana.memories({ statuses: ['quarantined'] }))
  console.log('not believed:', text, `(${reason})`)

const reply = await ana.reply({ role: 'user', text: 'Where are my bees?' })
for await (const piece of reply.textStream) process.stdout.write(piece)
await reply.remembered
console.log()
await keepsake.close()
