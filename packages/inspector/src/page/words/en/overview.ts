import { s } from './plural.ts'

/** What the overview says, in English. */
export const overview = {
  title: 'Overview',
  empty: 'Nothing is known of them',
  emptyTold:
    'Nobody of this name was remembered here, or all of it was erased. What is said from now on stands here.',
  profile: 'What should be known in every talk',
  noProfile: 'Nothing yet that should be known in every talk.',
  slots: {
    name: 'Name',
    health: 'Health',
    home: 'Home',
    work: 'Work',
    family: 'Family',
    now: 'Now',
  },
  lately: 'What changed lately',
  nothingLately: 'Nothing changed yet.',
  one: 'a memory, whose text was erased',
  size: 'How much there is',
  turns: 'turns',
  sessions: 'sessions',
  forms: {
    utterance: 'utterances',
    fact: 'facts',
    summary: 'summaries',
    story: 'story units',
    portrait: 'portraits',
    note: 'notes',
  },
  waiting: 'What waits or failed',
  nothingWaits: 'Nothing: all that was said has been read.',
  pending: (count: string) => `${count} turns are still to be read; they are recalled as they stand.`,
  queued: (count: string) => `${count} jobs wait.`,
  failed: (count: string) => `${count} jobs failed.`,
  retried: (count: number) => `${count} job${s(count)} will be tried again.`,
  request: (going: string) => `It was asked that everything be forgotten: ${going}. It waits for a yes.`,
  confirm: 'Forget everything',
  confirmTold: (going: string) =>
    `${going} leave recall. It can be undone; to have it gone for good, erase it under “Your data”.`,
  confirmed: 'Forgotten, as was asked.',
}
