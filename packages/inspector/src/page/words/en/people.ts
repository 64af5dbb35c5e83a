/** What the list of people says, in English. */
export const people = {
  title: 'People',
  lead: 'Whose memories there are.',
  search: 'Find a person',
  count: (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`,
  empty: 'Nobody is remembered yet',
  emptyTold:
    'Fill the memory with “keepsake import”, or talk to it through one of the server’s doors. Whoever it remembers stands here.',
  noMatch: 'Nobody is called that',
  noMatchTold: 'Another spelling, or fewer letters, may find them.',
  byName: 'Whose memory?',
  byNameTold: 'This key may not list everybody. Name the person whose memory you want to see.',
  user: 'Name of the user',
  tenant: 'Tenant (leave blank for the usual one)',
  open: 'Open',
  more: 'Show more',
}
