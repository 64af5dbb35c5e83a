import type { GroundingLabel, MemoryForm, MemoryStatus, MemoryType, OperationKind, Role } from 'keepsake'

/** The engine's closed lists, for validation and for the document. A word that the engine adds does not compile until it is here. */
function every<Word extends string>() {
  return <const Words extends readonly [Word, ...Word[]]>(
    ...words: Words & ([Word] extends [Words[number]] ? unknown : never)
  ): Words => words
}

export const FORMS = every<MemoryForm>()('utterance', 'fact', 'summary', 'story', 'portrait', 'note')
export const TYPES = every<MemoryType>()('persona', 'event', 'relationship')
export const STATUSES = every<MemoryStatus>()('live', 'quarantined', 'deleted', 'forgotten', 'erased')
export const LABELS = every<GroundingLabel>()('user-stated', 'user-confirmed', 'agent-stated', 'other')
export const ROLES = every<Role>()('user', 'agent', 'other')
export const OPERATION_KINDS = every<OperationKind>()(
  'add',
  'modify',
  'delete',
  'forget',
  'restore',
  'reinforce',
  'erase',
)
