import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@keepsake/text'
import type { Branch, Preset } from 'keepsake/preset'
import { moom } from './moom/moom.ts'
import { PRESET_NAMES, type PresetName } from './names.ts'
import { findPreset } from './papers.ts'

/** A name without its version. */
const plain = (id: string): string => id.replace(/\/\d+$/, '')

/** A branch, its cadence and who does its work, in a line. */
function told(branch: Branch): string {
  switch (branch.kind) {
    case 'utterances':
      return `utterances by ${branch.order}, ${branch.every ?? 1} at a time`
    case 'facts': {
      const { every, isEven, extractor } = branch
      const cadence = every === 'session-end' ? 'at the end' : `every ${every.rounds}`
      const { related } = extractor
      const shown = typeof related === 'object' && 'most' in related ? related.most : related
      const most = typeof shown === 'object' ? 'the whole list' : shown
      return `facts by ${plain(extractor.id)} ${cadence}${isEven === true ? ' at most' : ''}${most === undefined ? '' : `, shown ${most}`}`
    }
    case 'story':
      return `story of ${branch.units ?? 'rounds'} ${branch.thresholds.join(' ')}`
    case 'summaries':
      return 'summaries'
    case 'portrait':
      return `portrait by ${plain(branch.compressor.id)} every ${branch.every ?? 1}`
  }
}

/** What a preset draws, and with what. */
const work = ({ branches, summariser, grounding, importance }: Preset) => [
  ...branches.map(told),
  `told by ${plain(summariser.id)}`,
  `grounding ${grounding}`,
  ...(importance === 'model' ? ['importance by the model'] : []),
]

/** What it keeps, and what it hands out. */
function keeping(preset: Preset) {
  const { policy, retention, exempt, ranking, recalls, always = [], use } = preset
  const { limit, first, second, reinforce } = use
  const by = Object.fromEntries(Object.entries(ranking).filter(([name]) => name !== 'recipe'))
  return {
    policy: policy.name,
    retention,
    exempt,
    ranking: by,
    recalls,
    always,
    use: [limit, first, second, reinforce],
  }
}

const NEVER = { policy: 'none', retention: { when: 'never' }, exempt: [] }
const NEAREST = { kind: 'cosine', threshold: -1, importance: 0 }

/** What each paper's system draws: by rules, and with a language model. */
const WORK: Record<PresetName, readonly [byRules: readonly string[], byModel: readonly string[]]> = {
  keepsake: [
    [
      'utterances by answer, 1 at a time',
      'facts by persona-rules every 1',
      'told by extractive',
      'grounding rules',
    ],
    [
      'utterances by answer, 1 at a time',
      'facts by segment every 16 at most, shown 48',
      'story of segments 1 6 5',
      'portrait by renew-portrait every 3',
      'told by story-summary',
      'grounding model',
    ],
  ],
  moom: [
    [
      'utterances by answer, 1 at a time',
      'facts by persona-rules every 10',
      'story of rounds 6 5 5',
      'told by extractive',
      'grounding off',
    ],
    [
      'utterances by answer, 1 at a time',
      'facts by persona-snapshot every 10',
      'story of rounds 6 5 5',
      'told by story-summary',
      'grounding off',
    ],
  ],
  comedy: [
    [
      'summaries',
      'facts by request-rules every 1',
      'portrait by extractive-portrait every 1',
      'told by extractive',
      'grounding off',
    ],
    [
      'summaries',
      'facts by request-rules every 1',
      'portrait by compress-portrait every 1',
      'told by session-memory',
      'grounding off',
    ],
  ],
  mmm: [
    ['facts by persona-rules every 1', 'told by extractive', 'grounding off'],
    ['facts by operations every 1, shown the whole list', 'told by extractive', 'grounding off'],
  ],
  lufy: [
    [
      'utterances by answer, 1 at a time',
      'facts by persona-rules at the end',
      'summaries',
      'portrait by extractive-key-summary every 1',
      'told by extractive',
      'grounding off',
    ],
    [
      'utterances by answer, 10 at a time',
      'facts by persona-snapshot at the end',
      'summaries',
      'portrait by key-summary every 1',
      'told by session-summary',
      'grounding off',
      'importance by the model',
    ],
  ],
  'memory-bank': [
    [
      'utterances by reply, 1 at a time',
      'facts by persona-rules at the end',
      'summaries',
      'told by extractive',
      'grounding off',
    ],
    [
      'utterances by reply, 1 at a time',
      'facts by request-rules every 1',
      'summaries',
      'portrait by overall-summary every 1',
      'told by daily-summary',
      'grounding off',
    ],
  ],
  resum: [
    [
      'summaries',
      'portrait by extractive-portrait every 1',
      'facts by request-rules every 1',
      'told by extractive',
      'grounding off',
    ],
    [
      'portrait by recursive-summary every 1',
      'facts by request-rules every 1',
      'told by extractive',
      'grounding off',
    ],
  ],
  'comedy-retrieval': [
    ['facts by persona-rules at the end', 'told by extractive', 'grounding off'],
    ['facts by session-sentences at the end', 'told by extractive', 'grounding off'],
  ],
  memochat: [
    ['summaries', 'facts by request-rules at the end', 'told by extractive', 'grounding off'],
    ['facts by topic-memos at the end', 'told by extractive', 'grounding off'],
  ],
  'naive-rag': [
    ['utterances by answer, 1 at a time', 'told by extractive', 'grounding off'],
    ['utterances by answer, 1 at a time', 'told by extractive', 'grounding off'],
  ],
  'first-in-first-out': [
    ['utterances by answer, 1 at a time', 'told by extractive', 'grounding off'],
    ['utterances by answer, 1 at a time', 'told by extractive', 'grounding off'],
  ],
}

/** What each keeps and hands out, the same by rules and with a model. */
const KEEPING: Record<PresetName, object> = {
  keepsake: {
    policy: 'keepsake',
    retention: { when: 'capacity', memories: 50_000, slack: 0.05 },
    exempt: ['fact', 'story', 'summary', 'portrait'],
    ranking: { kind: 'hybrid', rerank: 30 },
    recalls: ['utterance', 'fact'],
    always: [],
    use: [10, 1, 1, true],
  },
  moom: {
    policy: 'competition-inhibition',
    retention: { when: 'capacity', characters: 6_000 },
    exempt: ['utterance'],
    ranking: { kind: 'hybrid', rerank: 36 },
    recalls: ['fact', 'story', 'utterance'],
    always: [],
    use: [9, 9, 9, true],
  },
  comedy: { ...NEVER, ranking: { kind: 'whole' }, recalls: [], always: ['portrait'], use: [40, 0, 0, false] },
  mmm: {
    ...NEVER,
    ranking: { kind: 'hybrid', fillsUp: true },
    recalls: ['fact'],
    always: [],
    use: [1_000, 0, 0, false],
  },
  lufy: {
    policy: 'lufy',
    retention: { when: 'session-end', keep: 0.1 },
    exempt: ['fact', 'portrait'],
    ranking: { kind: 'cosine', threshold: 'calibrated', importance: 0.1 },
    recalls: ['utterance', 'summary'],
    always: ['portrait'],
    use: [1, 1, 1, true],
  },
  'memory-bank': {
    policy: 'ebbinghaus',
    retention: { when: 'session-end', keep: 0.1 },
    exempt: ['fact', 'portrait'],
    ranking: NEAREST,
    recalls: ['utterance', 'summary'],
    always: ['portrait'],
    use: [5, 5, 0, true],
  },
  resum: { ...NEVER, ranking: { kind: 'whole' }, recalls: [], always: ['portrait'], use: [40, 0, 0, false] },
  'comedy-retrieval': { ...NEVER, ranking: NEAREST, recalls: ['fact'], always: [], use: [3, 0, 0, false] },
  memochat: {
    ...NEVER,
    ranking: { kind: 'hybrid' },
    recalls: ['summary'],
    always: [],
    use: [5, 0, 0, false],
  },
  'naive-rag': { ...NEVER, ranking: NEAREST, recalls: ['utterance'], always: [], use: [5, 0, 0, false] },
  'first-in-first-out': {
    policy: 'first-in-first-out',
    retention: { when: 'session-end', keep: 0.1 },
    exempt: [],
    ranking: NEAREST,
    recalls: ['utterance'],
    always: [],
    use: [5, 0, 0, false],
  },
}

describe.each(PRESET_NAMES)('the preset %s', (name) => {
  const [byRules, byModel] = [findPreset(name), findPreset(name, { model: true })]

  it('draws what its paper says, by rules where there is no model', () => {
    expect([work(byRules), work(byModel)]).toEqual(WORK[name])
  })

  it('is named after itself, in a sentence, and ends sessions after four hours of silence', () => {
    for (const preset of [byRules, byModel]) {
      expect([preset.name, preset.sessionGap]).toEqual([name, 4 * 3_600_000])
      expect(preset.summary).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('keeps and hands out the same with a model and without, but that a model may choose', () => {
    const { ranking, ...kept } = keeping(byModel)
    const { [name]: expected } = KEEPING
    expect(keeping(byRules)).toEqual(expected)
    expect({ ...kept, ranking: name === 'memochat' ? { kind: 'hybrid' } : ranking }).toEqual(expected)
  })
})

describe('the preset moom', () => {
  it('returns as many as it reinforces', () => {
    expect(keeping(findPreset(moom({ k: 12 })))).toMatchObject({
      use: [12, 12, 12, true],
      ranking: { rerank: 48 },
    })
  })
})

describe('the preset memochat', () => {
  it('has the model choose from what search finds likely', () => {
    expect(keeping(findPreset('memochat', { model: true })).ranking).toEqual({ kind: 'chosen', from: 30 })
  })
})

describe('findPreset', () => {
  it('gives one that is handed in as it is', () => {
    const own = { ...findPreset('lufy'), name: 'own' }
    expect(findPreset(own, { model: true })).toBe(own)
  })

  it('says which there are', () => {
    expect(() => findPreset('nothing' as PresetName)).toThrow(
      new InvalidInputError(
        'There is no preset "nothing". There are: keepsake, naive-rag, first-in-first-out, moom, comedy, mmm, lufy, memory-bank, resum, comedy-retrieval, memochat.',
        { preset: 'nothing' },
      ),
    )
  })
})
