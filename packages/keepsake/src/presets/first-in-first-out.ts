import { firstInFirstOut as oldestFirst } from '../forget/policies/first-in-first-out.ts'
import { naiveRag } from './naive-rag.ts'
import type { Preset } from './preset.ts'

/** What stays after each session, as in LUFY's comparison. */
const KEEP = 0.1

/** First in, first out: naive RAG that lets the oldest go. What any other policy of forgetting has to beat. */
export function firstInFirstOut(): Preset {
  return {
    ...naiveRag(),
    name: 'first-in-first-out',
    summary: 'Utterance pairs by cosine; when a session ends, all but the latest tenth go.',
    policy: oldestFirst(),
    retention: { when: 'session-end', keep: KEEP },
  }
}
