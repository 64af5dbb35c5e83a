import type { Memory } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useWords } from '../../words/language.tsx'
import { KeyName, useSubjectNames } from './names.tsx'
import { fill } from '../../words/texts.ts'

export interface MemoryProps extends PersonProps {
  readonly memory: Memory
}

/** Whether the last words on a fact put it in doubt: they may mean that it is over. */
export function isQuestioned({ evidence, validUntil }: Pick<Memory, 'evidence' | 'validUntil'>): boolean {
  return validUntil === null && evidence.at(-1)?.against === true
}

/** Facts about a memory in a line: form, type, subject, date, importance, number of evidence turns. */
export function MemoryFacts({ person, memory }: MemoryProps): ReactNode {
  const { words, format } = useWords()
  const nameOf = useSubjectNames(person)
  const { form, type, subject, validFrom, validUntil, evidence, pinned, status, reason, key } = memory
  const { name, text, limit } = memory
  const { importance } = memory.signals
  return (
    <p className="memory-facts">
      <Chip>{words.words.forms[form]}</Chip>
      {form === 'fact' && <Chip>{words.words.types[type]}</Chip>}
      {pinned && <Chip tone="accent">{words.memories.pinned}</Chip>}
      {status !== 'live' && <Chip tone="alarm">{words.words.statuses[status]}</Chip>}
      {isQuestioned(memory) && (
        <Chip tone="alarm" title={words.memories.questionedHint}>
          {words.memories.questioned}
        </Chip>
      )}
      {key !== null && <KeyName person={person} id={key} />}
      {form === 'block' && (
        <span>
          {name}{' '}
          <span className="figures">
            {fill(words.memories.size, { count: Array.from(text).length, limit: limit ?? 0 })}
          </span>
        </span>
      )}
      {form === 'fact' && <span>{fill(words.memories.about, { subject: nameOf(subject) })}</span>}
      <span>
        {validUntil === null ? (
          <>
            {words.memories.since} <Moment at={validFrom} />
          </>
        ) : (
          <>
            <Moment at={validFrom} /> – <Moment at={validUntil} />
          </>
        )}
      </span>
      {importance !== null && (
        <span className="figures" title={words.memories.importanceHint}>
          {fill(words.memories.importance, { value: format.decimal(importance, 1) })}
        </span>
      )}
      <span className="figures">{fill(words.memories.evidence, { count: evidence.length })}</span>
      {reason !== null && <span className="reason">{fill(words.memories.reason, { reason })}</span>}
    </p>
  )
}
