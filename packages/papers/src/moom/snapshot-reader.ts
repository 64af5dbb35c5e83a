// Makes the extractor of persona snapshots in the paper MOOM.
import { findKey, type KeyTable } from '@keepsake/text'
import { personaSnapshotPrompt, type PersonaSnapshotAnswer } from './persona-snapshot.ts'
import {
  candidateOf,
  evidenceOf,
  keyName,
  keyNames,
  latestTurn,
  readerAsking,
  subjectOf,
  type PromptLanguage,
  type Candidate,
  type Extractor,
} from 'keepsake/preset'
import type { Turn } from 'keepsake'

/** Makes an extractor of snapshots: keys and values of each speaker. The engine merges them by the class of each key. */
export function snapshotReader({ table }: { readonly table: KeyTable }): Extractor {
  return readerAsking(personaSnapshotPrompt, {
    id: 'persona-snapshot',
    inputOf: ({ turns, language }) => ({ turns, keys: keyNames(table, language) }),
    read: ({ people }, { turns, language }) => ({
      candidates: people.flatMap(({ person, entries }) =>
        entries.flatMap((entry) => candidatesOf({ ...entry, person, language }, turns, table)),
      ),
    }),
  })
}

type Entry = PersonaSnapshotAnswer['people'][number]['entries'][number] & {
  readonly person: string
  readonly language: PromptLanguage
}

/** Converts a key and its value to a candidate; none if one of them is empty. */
function candidatesOf(entry: Entry, turns: readonly Turn[], table: KeyTable): Candidate[] {
  const { person, language } = entry
  const value = entry.value.trim()
  const keyText = entry.key.trim()
  if (value === '' || keyText === '') return []
  const key = findKey(table, keyText)
  const evidence = evidenceOf(
    entry.turns.map((turn) => ({ turn, quote: '' })),
    turns,
  )
  const subject = subjectOf(person, evidence, turns)
  const text = factText(subject, key === undefined ? keyText : keyName(key, language), value, language)
  const validFrom = latestTurn(evidence, turns)?.at ?? 0
  const type = key?.type ?? 'persona'
  return [candidateOf({ type, subject, text, key: key?.id ?? keyText, value, evidence, validFrom })]
}

const UNNAMED = { en: { user: 'The user', agent: 'The agent' }, zh: { user: '用户', agent: '助手' } } as const

/** Writes a fact as `Maya, favourite food: ramen.`, a form that fits every key. */
function factText(subject: string, key: string, value: string, language: PromptLanguage): string {
  const speakerName = subject === 'user' || subject === 'agent' ? UNNAMED[language][subject] : subject
  return language === 'zh' ? `${speakerName}的${key}：${value}。` : `${speakerName}, ${key}: ${value}.`
}
