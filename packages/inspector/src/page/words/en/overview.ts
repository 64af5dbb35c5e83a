import { s } from './plural.ts'

/** What the overview says, in English. */
export const overview = {
  title: 'Overview',
  empty: 'Nothing is known about this user',
  emptyTold: 'There is no user of this name, or everything about them was erased. New messages appear here.',
  profile: 'Always included',
  noProfile: 'Nothing is always included yet.',
  slots: {
    name: 'Name',
    health: 'Health',
    home: 'Home',
    work: 'Work',
    family: 'Family',
    now: 'Now',
  },
  lately: 'Recent changes',
  nothingLately: 'There are no changes yet.',
  one: 'a memory whose text was erased',
  size: 'Size',
  turns: 'messages',
  sessions: 'sessions',
  forms: {
    utterance: 'messages kept as memories',
    fact: 'facts',
    summary: 'summaries',
    story: 'story sections',
    portrait: 'portraits',
    note: 'notes',
  },
  waiting: 'Pending and failed',
  nothingWaits: 'Nothing is pending: all messages have been processed.',
  pending: (count: string) => `${count} messages are not processed yet; they can be recalled already.`,
  queued: (count: string) => `${count} jobs are pending.`,
  failed: (count: string) => `${count} jobs failed.`,
  retried: (count: number) => `${count} job${s(count)} will be retried.`,
  request: (going: string) => `The user asked to forget everything: ${going}. Please confirm.`,
  confirm: 'Forget everything',
  confirmTold: (going: string) =>
    `${going} are no longer recalled. This can be undone; to delete them permanently, use “Your data”.`,
  confirmed: 'Everything was forgotten.',
}
