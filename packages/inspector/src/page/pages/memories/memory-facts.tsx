import type { Memory } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Chip } from '../../parts/chip.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useTexts } from '../../words/language.tsx'
import { KeyName, useSubjectNames } from './names.tsx'
import { fill } from '../../words/texts.ts'

export interface MemoryProps extends PersonProps {
  readonly memory: Memory
}

/** Whether the latest evidence contradicts a fact, so that it may no longer be true. */
export function isQuestioned({ evidence, validUntil }: Pick<Memory, 'evidence' | 'validUntil'>): boolean {
  return validUntil === null && evidence.at(-1)?.against === true
}

/** Facts about a memory in a line: form, type, subject, date, importance, number of evidence turns. */
export function MemoryFacts({ person, memory }: MemoryProps): ReactNode {
  const { texts, format } = useTexts()
  const nameOf = useSubjectNames(person)
  const { form, type, subject, validFrom, validUntil, evidence, pinned, status, reason, key } = memory
  const { name, text, limit } = memory
  const { importance } = memory.signals
  return (
    <p className="memory-facts">
      <Chip>{texts.words.forms[form]}</Chip>
      {form === 'fact' && <Chip>{texts.words.types[type]}</Chip>}
      {pinned && <Chip tone="accent">{texts.memories.pinned}</Chip>}
      {status !== 'live' && <Chip tone="alarm">{texts.words.statuses[status]}</Chip>}
      {isQuestioned(memory) && (
        <Chip tone="alarm" title={texts.memories.questionedHint}>
          {texts.memories.questioned}
        </Chip>
      )}
      {key !== null && <KeyName person={person} id={key} />}
      {form === 'block' && (
        <span>
          {name}{' '}
          <span className="figures">
            {fill(texts.memories.size, { count: Array.from(text).length, limit: limit ?? 0 })}
          </span>
        </span>
      )}
      {form === 'fact' && <span>{fill(texts.memories.about, { subject: nameOf(subject) })}</span>}
      <span>
        {validUntil === null ? (
          <>
            {texts.memories.since} <Moment at={validFrom} />
          </>
        ) : (
          <>
            <Moment at={validFrom} /> – <Moment at={validUntil} />
          </>
        )}
      </span>
      {importance !== null && (
        <span className="figures" title={texts.memories.importanceHint}>
          {fill(texts.memories.importance, { value: format.decimal(importance, 1) })}
        </span>
      )}
      <span className="figures">{fill(texts.memories.evidence, { count: evidence.length })}</span>
      {reason !== null && <span className="reason">{fill(texts.memories.reason, { reason })}</span>}
    </p>
  )
}
