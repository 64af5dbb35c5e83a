/** The words of the memory itself, in English. */
export const words = {
  forms: {
    utterance: 'message',
    fact: 'fact',
    summary: 'summary',
    story: 'story',
    portrait: 'portrait',
    note: 'note',
  },
  types: { persona: 'persona', event: 'event', relationship: 'relationship' },
  statuses: {
    live: 'active',
    quarantined: 'quarantined',
    deleted: 'deleted',
    forgotten: 'forgotten',
    erased: 'erased',
  },
  labels: {
    'user-stated': 'stated by the user',
    'user-confirmed': 'confirmed by the user',
    'agent-stated': 'stated by the agent',
    other: 'from elsewhere',
  },
  roles: { user: 'user', agent: 'agent', other: 'other' },
  kinds: {
    add: 'added',
    modify: 'changed',
    delete: 'deleted',
    forget: 'forgotten',
    restore: 'restored',
    reinforce: 'reinforced',
    erase: 'erased',
  },
}
