/** Whose memory a page is about, as the server's routes name it. */
export interface Person {
  readonly user: string
  /** `default` when absent. */
  readonly tenant?: string
  readonly agent?: string
  readonly app?: string
}

/** Pages about one person, in the order in which they are offered. */
export const PERSON_PAGES = [
  'overview',
  'memories',
  'persona',
  'story',
  'portrait',
  'retention',
  'conversation',
  'data',
] as const
export type PersonPage = (typeof PERSON_PAGES)[number]

/** Where the reader is. Every page has an address of its own, that can be kept and sent. */
export type Address =
  | { readonly page: 'people' }
  | { readonly page: PersonPage; readonly person: Person }
  | { readonly page: 'why'; readonly person: Person; readonly memory: string }
  | { readonly page: 'nowhere' }

/** Further settings of a page that belong into its address: filters, a question, a version. */
export type Settings = Readonly<Record<string, string | readonly string[] | undefined>>

const NARROWINGS = ['tenant', 'agent', 'app'] as const
/** Names of the query that say whose memory it is; a page's own settings have others. */
const RESERVED: readonly string[] = ['user', ...NARROWINGS]

/** A path cannot hold these as names: the query names the user then, and the path is a blank. */
const isDots = (name: string): boolean => name === '.' || name === '..'

/**
 * Where a path and a query lead.
 *
 * @example
 * readAddress('/people/maya/memories', '?agent=juno') // { page: 'memories', person: { user: 'maya', agent: 'juno' } }
 */
export function readAddress(path: string, search: string): Address {
  const parts = readParts(path)
  if (parts === null) return { page: 'nowhere' }
  const [first, user, page = 'overview', ...rest] = parts
  if (first === undefined || (first === 'people' && user === undefined)) return { page: 'people' }
  if (first !== 'people' || user === undefined) return { page: 'nowhere' }
  const person = readPerson(user, new URLSearchParams(search))
  const [memory, ...beyond] = rest
  if (page === 'memories' && memory !== undefined && beyond.length === 0)
    return { page: 'why', person, memory }
  const found = PERSON_PAGES.find((one) => one === page)
  return found === undefined || memory !== undefined ? { page: 'nowhere' } : { page: found, person }
}

function readParts(path: string): readonly string[] | null {
  try {
    return path
      .split('/')
      .filter((part) => part !== '')
      .map((part) => decodeURIComponent(part))
  } catch (error) {
    // An escape that is no UTF-8 names nothing.
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

/** The path and query of an address: what {@link readAddress} reads. */
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

/** A page's own settings out of the query: all that does not say whose memory it is. */
export function readSettings(search: string): Readonly<Record<string, readonly string[]>> {
  const query = new URLSearchParams(search)
  const names = [...new Set(query.keys())].filter((name) => !RESERVED.includes(name))
  return Object.fromEntries(names.map((name) => [name, query.getAll(name)]))
}
