/** The table has a key of its own for each of some twenty things that can be liked best. */
const REPEATED = ['favourite ', 'disliked ', '最喜欢的', '讨厌的']

/**
 * Names of keys as a prompt lists them: what many begin with is said once.
 *
 * @example
 * listKeys(['name', 'favourite food', 'favourite drink'], ', ') // 'name, favourite food / drink'
 */
export function listKeys(keys: readonly string[], separator: string): string {
  const listed: string[] = []
  let last: string | undefined
  for (const key of keys) {
    const prefix = REPEATED.find((one) => key.startsWith(one))
    if (prefix !== undefined && prefix === last)
      listed.push(`${listed.pop() ?? ''} / ${key.slice(prefix.length)}`)
    else listed.push(key)
    last = prefix
  }
  return listed.join(separator)
}
