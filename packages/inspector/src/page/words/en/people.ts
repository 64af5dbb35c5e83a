/** What the list of people says, in English. */
export const people = {
  title: 'Users',
  lead: 'All users with memories.',
  search: 'Find a user',
  count: (count: number) => `${count} ${count === 1 ? 'user' : 'users'}`,
  empty: 'There are no users yet',
  emptyTold:
    'Import a conversation with “keepsake import”, or send messages through one of the server’s APIs. Users appear here.',
  noMatch: 'No user has this name',
  noMatchTold: 'Try another spelling or fewer letters.',
  byName: 'Which user?',
  byNameTold: 'This key cannot list users. Enter the name of the user you want to see.',
  user: 'Name of the user',
  tenant: 'Tenant (leave blank for the default)',
  open: 'Open',
  more: 'Show more',
}
