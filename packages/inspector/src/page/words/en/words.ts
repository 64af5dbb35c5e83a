/** The words of the memory itself, in English. */
export const words = {
  forms: {
    utterance: 'utterance',
    fact: 'fact',
    summary: 'summary',
    story: 'story',
    portrait: 'portrait',
    note: 'note',
  },
  types: { persona: 'persona', event: 'event', relationship: 'relationship' },
  statuses: {
    live: 'live',
    quarantined: 'quarantined',
    deleted: 'deleted',
    forgotten: 'forgotten',
    erased: 'erased',
  },
  labels: {
    'user-stated': 'the person said so',
    'user-confirmed': 'the person confirmed it',
    'agent-stated': 'the agent said so',
    other: 'from elsewhere',
  },
  roles: { user: 'person', agent: 'agent', other: 'other' },
  kinds: {
    add: 'added',
    modify: 'changed',
    delete: 'deleted',
    forget: 'forgotten',
    restore: 'restored',
    reinforce: 'strengthened',
    erase: 'erased',
  },
}
