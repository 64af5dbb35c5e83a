import { ModelError, type LanguageModel } from 'keepsake'
import { PRESET_NAMES, type PresetName } from '@keepsake/papers'
import { scriptedModel } from 'keepsake/model'
import { keepsakeSystem } from './keepsake.ts'
import { noMemory, turnBm25, wholeContext } from './kept-turns.ts'
import { mem0Npm } from './mem0.ts'
import { describeSystem, type SystemAbilities } from './testing/system-contract.ts'

const failing = scriptedModel(() => new ModelError('The model is out of reach.', { isRetryable: false }))
const withoutModel = () => ({ model: null, failing })
const NO_MODEL = 'it runs without a model here'

const PRESET_ABILITIES: Readonly<Record<PresetName, SystemAbilities>> = {
  keepsake: {},
  moom: {},
  mmm: {},
  comedy: { searchesNothing: 'the portrait is all there is' },
  resum: { searchesNothing: 'the portrait is all there is' },
  'comedy-retrieval': {},
  memochat: {},
  lufy: {},
  'memory-bank': {},
  'naive-rag': {},
  'first-in-first-out': {},
}

// Nothing is forgotten here. Other tests check policies of forgetting.
const retention = { when: 'never' } as const

for (const name of PRESET_NAMES)
  describeSystem(name, () => keepsakeSystem(name, { retention }), withoutModel, {
    ...PRESET_ABILITIES[name],
    asksNoModel: NO_MODEL,
  })

describeSystem('none', noMemory, withoutModel, { keepsNothing: 'it is the floor', asksNoModel: NO_MODEL })
describeSystem('whole-context', wholeContext, withoutModel, {
  searchesNothing: 'it hands out the newest turns',
  asksNoModel: NO_MODEL,
})
describeSystem('bm25', turnBm25, withoutModel, { asksNoModel: NO_MODEL })

/** The facts of the suite's talk, in the form that Mem0 requests. */
const FACTS: readonly (readonly [telling: string, fact: string])[] = [
  ['I play the violin in the Tromso orchestra.', 'Ines plays the violin in the Tromso orchestra.'],
  ['My dog is called Biscuit.', 'The dog of Ines is called Biscuit.'],
  ['我住在苏州。', '伊内斯住在苏州。'],
]

/** Mem0's prompt has earlier messages and memories too. The new message is the last. */
function mem0Reader(): LanguageModel {
  return scriptedModel(({ messages }) => {
    const asked = messages.map(({ text }) => text).join('\n')
    const places = FACTS.map(([telling]) => asked.lastIndexOf(telling))
    const fact = FACTS[places.indexOf(Math.max(...places))]
    const memory = fact === undefined ? [] : [{ id: '0', text: fact[1], attributed_to: 'user' }]
    return JSON.stringify({ memory })
  })
}

describeSystem('mem0 (npm package)', mem0Npm, () => ({ model: mem0Reader(), failing }))
