// The preset of the retrieval baseline in the paper COMEDY.
import { BY_RULES, candidateOf, evidenceOf, latestTurn, personaRules, plainPreset } from 'keepsake/preset'
import { readerAsking, type Extractor, type PresetForm, type Preset } from 'keepsake/preset'
import { sessionMemoryPrompt } from './session-memory.ts'

/** Number of memories retrieved for a reply (Chen et al., section 3.2). */
const TOP = 3

/** Returns the system with which COMEDY is compared: each sentence of a session memory is a memory, and a reply gets the three nearest. */
export function comedyRetrieval(form: PresetForm = BY_RULES): Preset {
  const extractor = form.model ? sentenceReader() : personaRules()
  return {
    ...plainPreset(),
    name: 'comedy-retrieval',
    summary: "Sentences of COMEDY's session memories, of which the three nearest are retrieved.",
    source:
      'Chen et al.: Beyond Retrieval: Embracing Compressive Memory in Real-World Long-Term Conversations, 2024: the retrieval-based baseline.',
    branches: [{ kind: 'facts', every: 'session-end', extractor }],
    ranking: { kind: 'cosine', threshold: -1, importance: 0 },
    recalls: ['fact'],
    use: { limit: TOP, first: 0, second: 0, reinforce: false },
  }
}

/** Makes an extractor that stores each sentence of a session memory as a memory. */
function sentenceReader(): Extractor {
  return readerAsking(sessionMemoryPrompt, {
    id: 'session-sentences',
    inputOf: ({ turns }) => ({ sources: turns.map((turn) => ({ ...turn, turn: turn.id })), earlier: null }),
    read: ({ outcome, events, user, agent }, { turns }) => {
      const sentences = outcome === 'memory' ? [...events, ...user, ...agent] : []
      const candidates = sentences.map(({ text, turns: numbers }) => {
        const sources = numbers.map((turn) => ({ turn, quote: '' }))
        const evidence = evidenceOf(sources, turns)
        return candidateOf({ text, evidence, validFrom: latestTurn(evidence, turns)?.at ?? 0 })
      })
      return { candidates }
    },
  })
}
