/** The user of a page, with the names of the server's routes. */
export interface Person {
  readonly user: string
  /** Default: `default`. */
  readonly tenant?: string
  readonly agent?: string
  readonly app?: string
}

export interface PersonProps {
  readonly person: Person
}

/** Pages about one user, in navigation order. */
export const PERSON_PAGES = [
  'overview',
  'memories',
  'persona',
  'relations',
  'story',
  'portrait',
  'retention',
  'conversation',
  'data',
] as const
export type PersonPage = (typeof PERSON_PAGES)[number]

/** The current place. Every page has an address that can be bookmarked and sent. */
export type Address =
  | { readonly page: 'people' }
  | { readonly page: PersonPage; readonly person: Person }
  | { readonly page: 'why'; readonly person: Person; readonly memory: string }
  | { readonly page: 'nowhere' }

/** Settings of a page in its address: filters, a question, a version. */
export type Settings = Readonly<Record<string, string | readonly string[] | undefined>>

/** Query parameters that narrow the user. */
const NARROWINGS = ['tenant', 'agent', 'app'] as const
/** Query parameters of the user. A page's settings must have other names. */
const RESERVED: readonly string[] = ['user', ...NARROWINGS]

/** Whether a URL path cannot contain the name. Then the query names the user, and the path contains a blank. */
const isDots = (name: string): boolean => name === '.' || name === '..'

/** Parses a path and query, such as `/people/maya/memories?agent=juno`. */
export function readAddress(path: string, search: string): Address {
  const parts = readParts(path)
  if (parts === null) return { page: 'nowhere' }
  const [first, user, page = 'overview', ...rest] = parts
  if (first === undefined || (first === 'people' && user === undefined)) return { page: 'people' }
  if (first !== 'people' || user === undefined) return { page: 'nowhere' }
  const person = readPerson(user, new URLSearchParams(search))
  const [memory, ...tooMany] = rest
  if (page === 'memories' && memory !== undefined && tooMany.length === 0)
    return { page: 'why', person, memory }
  const personPage = PERSON_PAGES.find((known) => known === page)
  if (personPage === undefined || memory !== undefined) return { page: 'nowhere' }
  return { page: personPage, person }
}

function readParts(path: string): readonly string[] | null {
  try {
    return path
      .split('/')
      .filter((part) => part !== '')
      .map((part) => decodeURIComponent(part))
  } catch (error) {
    // A path with an invalid UTF-8 escape has no page.
    if (error instanceof URIError) return null
    throw error
  }
}

function readPerson(inPath: string, query: URLSearchParams): Person {
  const user = inPath.trim() === '' ? (query.get('user') ?? inPath) : inPath
  const narrowings = NARROWINGS.flatMap((name) => {
    const value = query.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  return { user, ...Object.fromEntries(narrowings) }
}

/** Writes the path and query of an address, the reverse of {@link readAddress}. */
export function writeAddress(address: Address, settings: Settings = {}): string {
  const query = new URLSearchParams()
  if ('person' in address) {
    const { user, ...narrowings } = address.person
    if (isDots(user)) query.set('user', user)
    for (const name of NARROWINGS) {
      const value = narrowings[name]
      if (value !== undefined && !(name === 'tenant' && value === 'default')) query.set(name, value)
    }
  }
  for (const [name, value] of Object.entries(settings))
    for (const one of typeof value === 'string' ? [value] : (value ?? []))
      if (one !== '') query.append(name, one)
  const text = query.toString()
  return `${writePath(address)}${text === '' ? '' : `?${text}`}`
}

function writePath(address: Address): string {
  switch (address.page) {
    case 'people':
    case 'nowhere':
      return '/'
    case 'why':
      return `${writePerson(address.person)}/memories/${encodeURIComponent(address.memory)}`
    case 'overview':
      return writePerson(address.person)
    default:
      return `${writePerson(address.person)}/${address.page}`
  }
}

function writePerson({ user }: Person): string {
  return `/people/${encodeURIComponent(isDots(user) ? ' ' : user)}`
}

/** Reads a page's own settings from the query, without the user. */
export function readSettings(search: string): Readonly<Record<string, readonly string[]>> {
  const query = new URLSearchParams(search)
  const names = [...new Set(query.keys())].filter((name) => !RESERVED.includes(name))
  return Object.fromEntries(names.map((name) => [name, query.getAll(name)]))
}
